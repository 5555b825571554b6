// The completion script of bash, 3.2 and later.
import { type Completable, valuesOfFlags } from './completable.ts';

export function bash(commands: readonly Completable[]): string {
  const cases = commands.map(({ path, commands: below, flags, values, takes }) => {
    const words = [...below.map(({ name }) => name), ...values, ...flags.map(({ name }) => name)].join(' ');
    const files = takes === 'files' ? ' files=1' : takes === 'command' ? ' runs=1' : '';
    const valued = flags.filter(({ value }) => value !== null).map(({ name }) => name);
    const filed = flags.filter(({ value }) => value === 'file').map(({ name }) => name);
    return `    '${path.join(' ')}') words='${words}' valued=' ${valued.join(' ')} ' filed=' ${filed.join(' ')} '${files} ;;`;
  });
  const paths = commands.flatMap(({ path }) => (path.length > 0 ? [`'${path.join(' ')}'`] : []));
  return `# Completion of ringback for bash; written by \`ringback completion bash\`.
_ringback() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  # --flag=value is three words.
  if [[ $current == = ]]; then current=''; elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  local path='' word words='' valued='' filed='' files='' runs='' values='' list='' before='' i
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
    case "$path $previous" in
${knownCases(commands)}
    esac
    if [[ -n $list ]]; then
      [[ $current == *,* ]] && before=\${current%,*},
      # Another one may follow; bash 3.2 has no compopt.
      compopt -o nospace 2>/dev/null
    fi
    COMPREPLY+=($(compgen -P "$before" -W "$values" -- "\${current#"$before"}"))
    return 0
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ -n $files && $current != -* ]] && COMPREPLY+=($(compgen -f -- "$current"))
  [[ -n $runs && $current != -* ]] && COMPREPLY+=($(compgen -c -- "$current"))
  return 0
}
complete -o filenames -o bashdefault -F _ringback ringback
`;
}

/** The values of each flag, by the command and the flag. */
const knownCases = (commands: readonly Completable[]): string =>
  valuesOfFlags(commands)
    .map(({ flags, values, isList }) => {
      const places = flags.map(({ path, name }) => `'${path} ${name}'`).join('|');
      return `    ${places}) values='${values.join(' ')}'${isList ? ' list=1' : ''} ;;`;
    })
    .join('\n');
