#!/bin/sh
# Random kernels on a device, under compute-sanitizer: test/gpu/run.sh FOLDER [ARCH]
# FOLDER is what `replay_fuzz --gpu=FOLDER` wrote. Prints for each kernel with launches what
# racecheck and memcheck said beside its verdict, and a summary. Ends with 1 when a kernel that
# was PROVED has a hazard. Needs nvcc and compute-sanitizer.
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 arch=${2:-sm_90}
work=$(mktemp -d)
jobs=$(nproc)
trap 'rm -rf "$work"' EXIT
nvcc -O1 -o "$work/run" "$here/run.c" -lcuda || exit 2
ls "$folder" | sed -n 's/\.cu$//p' |
  xargs -P "$jobs" -I{} sh -c 'nvcc -w -lineinfo -cubin -arch="$3" -o "$2/{}.cubin" "$1/{}.cu" || echo "{}: does not compile"' \
    sh "$folder" "$work" "$arch"
cat > "$work/one" <<'END'
#!/bin/sh
# one WORK FOLDER BATCH KERNEL SEED VERDICT LAUNCHES
work=$1 folder=$2 batch=$3 kernel=$4 seed=$5 verdict=$6
plain=$(timeout 60 "$work/run" "$work/$batch.cubin" "$folder/$batch.plan" "$kernel" 2>&1)
said=
for tool in racecheck memcheck; do
  log=$(timeout 120 compute-sanitizer --tool $tool "$work/run" "$work/$batch.cubin" "$folder/$batch.plan" "$kernel" 2>&1)
  case $tool in
  racecheck) n=$(printf '%s\n' "$log" | sed -n 's|.*RACECHECK SUMMARY: \([0-9]*\) hazard.*|\1|p') ;;
  memcheck) n=$(printf '%s\n' "$log" | grep -c 'Invalid __') ;;
  esac
  said="$said $tool ${n:-?}"
  [ "${n:-0}" = 0 ] || printf '%s\n' "$log" > "$work/$batch.$kernel.$tool.log"
done
echo "$batch $kernel $seed $verdict$said $(printf '%s' "$plain" | tr '\n' ' ')"
END
chmod +x "$work/one"
awk '$5 > 0' "$folder/kernels" | xargs -P "$jobs" -L1 "$work/one" "$work" "$folder" | sort > "$work/all"
cat "$work/all"
for log in "$work"/*.log; do
  [ -e "$log" ] || continue
  name=$(basename "$log" .log) batch=${name%%.*} rest=${name#*.} kernel=${rest%%.*}
  grep -q "^$batch $kernel .* PROVED" "$work/all" && { echo "==== $name"; head -20 "$log"; }
done
awk '{ total[$4]++; if ($6 + 0 > 0) raced[$4]++; if ($8 + 0 > 0) outside[$4]++; if ($6 == "?" || $8 == "?") odd++ }
  END { for (v in total) printf "%s: %d kernels, racecheck finds hazards in %d, memcheck errors in %d\n", v, total[v], raced[v], outside[v];
        printf "%d could not be watched\n", odd; exit raced["PROVED"] + outside["PROVED"] > 0 }' "$work/all"
