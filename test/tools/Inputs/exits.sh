#!/bin/sh
# exits.sh CODE COMMAND...: succeeds when the command ends with exactly that code.
want=$1
shift
"$@"
got=$?
[ "$got" -eq "$want" ] && exit 0
echo "exit code $got, expected $want: $*" >&2
exit 1
