# complete.sh FILE TOOL WORD...: what bash offers for the last word, one a line. bash makes an
# equals sign a word of its own.
. "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_gpusafe
printf '%s\n' "${COMPREPLY[@]}"
