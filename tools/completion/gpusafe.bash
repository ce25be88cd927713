# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion for bash: commands and options are what --help prints.

_gpusafe_options() { # tool command
  "$1" "$2" --help 2> /dev/null | sed -n 's/^  \(--[a-z0-9-]*\)\(\[\{0,1\}=\{0,1\}\).*/\1\2/p' | sed 's/\[=$//'
}

_gpusafe_values() { # tool option
  case $2 in
    --rules) "$1" explain --help 2> /dev/null | sed -n '/^rules:/,$s/^  \([a-z-]*\)  .*/\1/p' ;;
    --arch) echo sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120 ;;
    --color) echo auto always never ;;
    --dialect) echo nvcc clang ;;
    --dump) echo accesses ;;
    --fail-on) echo definite claim path possible unknown new failed coverage-drop never ;;
    --format) echo html sarif plist json text ;;
    --host-rules) echo on all off ;;
    --same-value) echo error note off ;;
  esac
}

_gpusafe() {
  local tool=${COMP_WORDS[0]} command=${COMP_WORDS[1]} cur=${COMP_WORDS[COMP_CWORD]} option= i words head=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words=$("$tool" --help 2> /dev/null | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$words --help --version" -- "$cur")
    return
  fi
  for ((i = 2; i < COMP_CWORD; i++)); do # behind -- stand flags of clang, or a build
    [[ ${COMP_WORDS[i]} == -- ]] && mapfile -t COMPREPLY < <(compgen -f -- "$cur") && return
  done
  # bash makes --rules=x three words.
  if [[ $cur == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 1]} cur=
  elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if [[ -n $option ]]; then
    words=$(_gpusafe_values "$tool" "$option")
    [[ -z $words ]] && mapfile -t COMPREPLY < <(compgen -f -- "$cur") && return
    [[ $cur == *,* ]] && head=${cur%,*},
    mapfile -t COMPREPLY < <(compgen -P "$head" -W "$words" -- "${cur##*,}")
  elif [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_gpusafe_options "$tool" "$command")" -- "$cur")
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2> /dev/null
  elif [[ $command == explain ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_gpusafe_values "$tool" --rules)" -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}
complete -o filenames -o bashdefault -F _gpusafe gpusafe
