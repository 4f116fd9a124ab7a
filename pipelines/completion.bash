_gistmill() {
  local words=""
  if [ "$COMP_CWORD" = 1 ]; then
    words="@JOBS@"
  elif [ "${COMP_WORDS[1]}" = help ]; then
    words="@JOBS@"
  elif [[ "$2" == -* ]]; then
    case "${COMP_WORDS[1]}" in
@CASES@
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$2"))
}
complete -o default -F _gistmill gistmill
