// The completion script of fish.
import type { Completable, CompletableFlag } from './completable.ts';

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export function fish(commands: readonly Completable[]): string {
  const lines = commands.flatMap(({ path, commands: below, flags, values, takes }) => {
    const condition = `-n ${quoted(`__ringback_at ${path.join(' ')}`.trim())}`;
    return [
      ...below.map(({ name, summary }) => `complete -c ringback ${condition} -f -a ${name} -d ${quoted(summary)}`),
      ...(values.length > 0 ? [`complete -c ringback ${condition} -f -a ${quoted(values.join(' '))}`] : []),
      ...flags.map((flag) => `complete -c ringback ${condition} ${flagOf(flag)}`),
      ...(takes === 'files' ? [`complete -c ringback ${condition} -F`] : []),
      ...(takes === 'command' ? [`complete -c ringback ${condition} -f -a '(__fish_complete_subcommand)'`] : []),
    ];
  });
  const paths = commands.flatMap(({ path }) => (path.length > 0 ? [quoted(path.join(' '))] : []));
  return `# Completion of ringback for fish; written by \`ringback completion fish\`.
function __ringback_at
    set -l path
    for word in (commandline -opc)[2..-1]
        set -l longer (string join -- ' ' $path $word)
        contains -- $longer ${paths.join(' ')}; and set -a path $word
    end
    test "$path" = "$argv"
end
complete -c ringback -f
${lines.join('\n')}
`;
}

function flagOf({ name, summary, value, values, isList }: CompletableFlag): string {
  const words = values.join(' ');
  const known = words === '' ? '' : ` -a ${quoted(isList ? `(__fish_append , ${words})` : words)}`;
  const argument = value === null ? '' : value === 'file' ? ' -r -F' : ` -x${known}`;
  return `-l ${name.replace(/^--/, '')}${argument} -d ${quoted(summary)}`;
}
