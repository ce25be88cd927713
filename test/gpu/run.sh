#!/bin/sh
# Random kernels on a device, under compute-sanitizer: test/gpu/run.sh FOLDER LOGS [ARCH]
# FOLDER is what `replay_fuzz --gpu=FOLDER` wrote; what compute-sanitizer says goes into LOGS.
# Prints the hazards of kernels that were PROVED, and a count for each verdict. Ends with 1 when
# there are any. Needs nvcc and compute-sanitizer. GPUSAFE_GPU_JOBS: processes at a time.
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 logs=$2 arch=${3:-sm_90}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$logs"
nvcc -O1 -o "$work/run" "$here/run.c" -lcuda || exit 2
ls "$folder" | sed -n 's/\.cu$//p' |
  xargs -P "$(nproc)" -I{} sh -c 'nvcc -w -lineinfo -cubin -arch="$3" -o "$2/{}.cubin" "$1/{}.cu" || echo "{}: does not compile"' \
    sh "$folder" "$work" "$arch"
echo "compiled: $(ls "$work" | grep -c cubin) batches"

# one WORK FOLDER LOGS BATCH TOOL VERDICT KERNEL...: a kernel that ends its process costs only itself.
cat > "$work/one" <<'END'
#!/bin/sh
work=$1 folder=$2 log=$3/$4.$5.$6 batch=$4 tool=$5
shift 6
while [ $# -gt 0 ]; do
  timeout -s KILL 90 compute-sanitizer --tool "$tool" --print-limit 1000 \
    "$work/run" "$work/$batch.cubin" "$folder/$batch.plan" "$@" > "$work/now.$$" 2>&1
  cat "$work/now.$$" >> "$log"
  last=$(sed -n 's/^kernel \([0-9]*\) ends it.*/\1/p' "$work/now.$$")
  [ -n "$last" ] || break
  while [ $# -gt 0 ]; do
    this=$1
    shift
    [ "$this" != "$last" ] || break
  done
done
END
chmod +x "$work/one"
for set in PROVED OTHER; do # what matters most comes first
  for tool in racecheck memcheck; do
    awk -v set=$set -v tool=$tool '$5 > 0 && (set == "PROVED") == ($4 == "PROVED") { list[$1] = list[$1] " " $2 }
      END { for (b in list) print b, tool, set list[b] }' "$folder/kernels" | sort
  done
done | xargs -P "${GPUSAFE_GPU_JOBS:-6}" -L1 "$work/one" "$work" "$folder" "$logs"

# batch kernel tool: one line for each kernel with a hazard.
for log in "$logs"/*.*.*; do
  name=$(basename "$log") batch=${name%%.*} rest=${name#*.}
  sed -n 's/.*at k\([0-9][0-9]*\)[+(].*/\1/p' "$log" | sort -u |
    sed "s/^/$batch ${rest%%.*} /"
done > "$work/hazards"
awk 'FILENAME ~ /hazards$/ { bad[$1 " " $3 " " $2] = 1; next }
  $5 > 0 { n[$4]++; r[$4] += ($1 " " $2 " racecheck") in bad; m[$4] += ($1 " " $2 " memcheck") in bad
           if ($4 == "PROVED" && ((($1 " " $2 " racecheck") in bad) || (($1 " " $2 " memcheck") in bad)))
             print "PROVED with a hazard: batch", $1, "kernel", $2, "seed", $3 }
  END { for (v in n) printf "%s: %d kernels run, hazards by racecheck in %d, by memcheck in %d\n", v, n[v], r[v], m[v]
        exit r["PROVED"] + m["PROVED"] > 0 }' "$work/hazards" "$folder/kernels"
bad=$?
grep -h "ends it" "$logs"/* | sort | uniq -c | sort -rn | head -20
echo "runs with a summary: $(grep -l 'SUMMARY' "$logs"/* | wc -l) of $(ls "$logs" | wc -l)"
exit $bad
