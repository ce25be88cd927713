#!/bin/sh
# Stands in for clang and the plugin: does what comments in the source say.
#
# // ARGS              print the arguments, one a line, to standard error
# // STDERR text       print text to standard error
# // REPORT file       write this file (beside the source; {target} is replaced) as report
# // EXIT n, SIGNAL n  end like that
# // TOUCH file        make a file when started, then sleep until killed
for arg do
  case $arg in
    -fplugin-arg-gpusafe-report=*) report=${arg#*=} ;;
    --offload-arch=* | -march=*) target=${arg#*=} ;;
  esac
  source=$arg
done
code=0
while read -r slashes word rest; do
  [ "$slashes" = // ] || continue
  case $word in
    ARGS) printf '%s\n' "$@" >&2 ;;
    STDERR) printf '%s\n' "$rest" >&2 ;;
    REPORT) sed "s/{target}/$target/" "$(dirname -- "$source")/$rest" > "$report" ;;
    EXIT) code=$rest ;;
    SIGNAL) kill -"$rest" $$ ;;
    TOUCH) : > "$rest"; exec sleep 60 ;;
  esac
done < "$source"
exit "$code"
