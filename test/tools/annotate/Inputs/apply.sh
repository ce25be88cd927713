# apply.sh TOOL CLANG-COMMAND... -- FILE: a copy of the file here is annotated and printed. The
# printed diff makes the same of it, a second run changes nothing, it still compiles without
# the plugin, and with it everything is proved.
set -e
tool=$1
shift
file=$1
name=$(basename "$file")
mkdir -p applied patched
cp "$file" applied/"$name"
cp "$file" patched/"$name"
"$tool" annotate --cuda-path=none --quiet patched/"$name" > patch
(cd patched && patch --quiet --binary -p2 < ../patch)
"$tool" annotate --cuda-path=none --quiet --write applied/"$name"
cmp applied/"$name" patched/"$name"
"$tool" annotate --cuda-path=none --quiet --write patched/"$name"
cmp applied/"$name" patched/"$name"
"$tool" check --cuda-path=none --quiet applied/"$name" >&2
cat applied/"$name"
