// The completion script of bash, 3.2 and later.
import type { Completable } from './completable.ts';

export function bash(commands: readonly Completable[]): string {
  const cases = commands.map(({ path, commands: below, flags, takes }) => {
    const words = [...below.map(({ name }) => name), ...flags.map(({ name }) => name)].join(' ');
    const files = takes === 'files' ? ' files=1' : takes === 'command' ? ' runs=1' : '';
    const valued = flags.filter(({ value }) => value !== null).map(({ name }) => name);
    const filed = flags.filter(({ value }) => value === 'file').map(({ name }) => name);
    return `    '${path.join(' ')}') words='${words}' valued=' ${valued.join(' ')} ' filed=' ${filed.join(' ')} '${files} ;;`;
  });
  const paths = commands.flatMap(({ path }) => (path.length > 0 ? [`'${path.join(' ')}'`] : []));
  return `# Completion of ringback for bash; written by \`ringback completion bash\`.
_ringback() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local path='' word words='' valued='' filed='' files='' runs='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == -- ]] && { COMPREPLY=($(compgen -c -- "$current")); return; }
    [[ $word == -* ]] && continue
    case "\${path:+$path }$word" in
      ${paths.join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  if [[ $valued == *" $previous "* ]]; then
    [[ $filed == *" $previous "* ]] && COMPREPLY=($(compgen -f -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ -n $files && $current != -* ]] && COMPREPLY+=($(compgen -f -- "$current"))
  [[ -n $runs && $current != -* ]] && COMPREPLY+=($(compgen -c -- "$current"))
  return 0
}
complete -o filenames -o bashdefault -F _ringback ringback
`;
}
