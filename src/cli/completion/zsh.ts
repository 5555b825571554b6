// The completion script of zsh: for `$fpath`, or to be sourced.
import { type Completable, valuesOfFlags } from './completable.ts';

/** For a text between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** A colon separates a word from its description. */
const described = (name: string, summary: string): string => quoted(`${name}:${summary.replaceAll(':', '\\:')}`);

export function zsh(commands: readonly Completable[]): string {
  const paths = commands.flatMap(({ path }) => (path.length > 0 ? [quoted(path.join(' '))] : []));
  return `#compdef ringback
# Completion of ringback for zsh; written by \`ringback completion zsh\`.
_ringback() {
  local -a words_ valued filed values
  local path_='' word takes='' list='' i
  local previous=\${words[CURRENT-1]}
  # --flag=value
  if [[ $words[CURRENT] == --*=* ]]; then
    previous=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    [[ $word == -- ]] && { _command_names -e; return }
    [[ $word == -* ]] && continue
    case "\${path_:+$path_ }$word" in
      (${paths.join('|')}) path_="\${path_:+$path_ }$word" ;;
    esac
  done
  case "$path_" in
${commands.map(caseOf).join('\n')}
  esac
  if (( \${valued[(Ie)$previous]} )); then
    (( \${filed[(Ie)$previous]} )) && _files
    case "$path_ $previous" in
${knownCases(commands)}
    esac
    if [[ -n $list ]]; then
      compset -P '*,'
      compadd -q -S , -a values
    else
      compadd -a values
    fi
    return
  fi
  _describe 'ringback' words_
  [[ $takes == files ]] && _files
  [[ $takes == command ]] && _command_names -e
  return 0
}
if [[ $funcstack[1] == _ringback ]]; then _ringback "$@"; else compdef _ringback ringback; fi
`;
}

/** What follows a command. */
function caseOf({ path, commands: below, flags, values, takes }: Completable): string {
  const words = [...below, ...flags].map(({ name, summary }) => described(name, summary));
  const valued = flags.flatMap(({ name, value }) => (value === null ? [] : [name]));
  const filed = flags.flatMap(({ name, value }) => (value === 'file' ? [name] : []));
  return `    ${quoted(path.join(' '))})
      words_=(${[...words, ...values].join(' ')})
      valued=(${valued.join(' ')}) filed=(${filed.join(' ')}) takes=${takes ?? "''"} ;;`;
}

/** The values of each flag, by the command and the flag. */
const knownCases = (commands: readonly Completable[]): string =>
  valuesOfFlags(commands)
    .map(({ flags, values, isList }) => {
      const places = flags.map(({ path, name }) => quoted(`${path} ${name}`)).join('|');
      return `      ${places}) values=(${values.join(' ')})${isList ? ' list=1' : ''} ;;`;
    })
    .join('\n');
