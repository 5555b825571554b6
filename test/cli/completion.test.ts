// Completion scripts, each in its shell: commands, flags and values that are known.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandShell } from '../support/command-shell.ts';
import { temporaryFolders } from '../support/folders.ts';
import { PATIENCE } from '../support/until.ts';

const run = commandShell();
const folderOf = temporaryFolders();

/** What is typed before the tab key, and what each shell makes of it where one thing alone fits. */
const lines: readonly (readonly [typed: string, completed: string])[] = [
  ['ringback cl', 'ringback clock'],
  ['ringback clock a', 'ringback clock advance'],
  ['ringback clock advance i', 'ringback clock advance idle'],
  ['ringback listen --forw', 'ringback listen --forward-to'],
  ['ringback listen --json --ev', 'ringback listen --json --events'],
  ['ringback listen --events call_b', 'ringback listen --events call_busy'],
  ['ringback events tail --json --events new_call,call_b', 'ringback events tail --json --events new_call,call_busy'],
  ['ringback trigger call_b', 'ringback trigger call_busy'],
  ['ringback deliveries list --status del', 'ringback deliveries list --status delivered'],
  ['ringback scenarios show bus', 'ringback scenarios show busy'],
  ['ringback scenarios play sms_rep', 'ringback scenarios play sms_reply'],
  ['ringback scenarios list --kind jo', 'ringback scenarios list --kind job'],
  ['ringback requests tail --operation dial', 'ringback requests tail --operation dialCall'],
  ['ringback faults set --error rate_l', 'ringback faults set --error rate_limited'],
  ['ringback serve --clock man', 'ringback serve --clock manual'],
  ['ringback completion fi', 'ringback completion fish'],
];

/** The script for a shell, in a file of a folder that has another file too. */
async function scriptFor(shell: string): Promise<string> {
  const { code, stdout, stderr } = await run(['completion', shell]);
  expect([code, stderr]).toEqual([0, '']);
  const file = join(folderOf({ 'our_own.yaml': '' }), 'script');
  writeFileSync(file, stdout);
  return file;
}

const runIn = (command: string, args: readonly string[], folder: string): string =>
  execFileSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
    timeout: PATIENCE,
    env: { PATH: process.env.PATH, HOME: folder, ZDOTDIR: folder, TERM: 'dumb', LC_ALL: 'C' },
  });

/** The words of a line as bash splits them, where `=` separates too. */
const wordsOf = (line: string): string =>
  line
    .replace('=', ' = ')
    .split(' ')
    .map((word) => `'${word}'`)
    .join(' ');

/** In bash, a function of the script fills in what fits. */
function completeInBash(file: string, typed: readonly string[]): string[] {
  const script = `source ${file}
    complete() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=(); _ringback ringback 2>&1; echo "\${COMPREPLY[@]}"; }
    ${typed.map((line) => `complete ${wordsOf(line)}`).join('\n')}`;
  return runIn('bash', ['--norc', '-c', script], join(file, '..')).trimEnd().split('\n');
}

/** In zsh, keys are typed on a terminal; another key writes down what is then on its line. A comma ends one of a list. */
function completeInZsh(file: string, typed: readonly string[]): string[] {
  const folder = join(file, '..');
  const settings = `PROMPT=ready
    autoload -U compinit && compinit -u -D; source ${file}
    unsetopt beep auto_list
    note() { print -r -- "$BUFFER" >>${folder}/lines; BUFFER= }
    zle -N note; bindkey '^T' note`;
  writeFileSync(join(folder, '.zshrc'), settings);
  const driver = `zmodload zsh/zpty; zpty z zsh -i; zpty -r -m z out '*ready*'
    ${typed.map((line) => `zpty -w -n z $'${line}\\t\\x14'`).join('\n')}
    zpty -w z 'exit'; while zpty -r z out; do :; done`;
  runIn('zsh', ['-f', '-c', driver], folder);
  return readFileSync(join(folder, 'lines'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/[ ,]+$/, ''));
}

/** Fish says itself what completes a line. */
function completeInFish(file: string, typed: readonly string[]): string[] {
  const script = `source ${file}; ${typed.map((line) => `echo (complete -C '${line}' | cut -f 1)`).join('; ')}`;
  return runIn('fish', ['--no-config', '-c', script], join(file, '..')).trimEnd().split('\n');
}

const lastWord = (line: string): string => line.split(' ').at(-1) ?? '';
const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;
const missing = ['zsh', 'fish'].filter((shell) => !isThere(shell));
if (missing.length > 0) console.info(`skipped: completion is not tested in ${missing.join(' and ')}, not installed`);

const typed = lines.map(([line]) => line);
const completed = lines.map(([, line]) => line);

describe('a completion script completes commands, flags and their values', () => {
  it('in bash', async () => {
    const file = await scriptFor('bash');
    const inOneWord = ['ringback serve --strict=of', 'ringback scenarios validate our', 'ringback exec -- tru'];
    const answers = completeInBash(file, [...typed, ...inOneWord]);
    expect(answers.slice(0, typed.length)).toEqual(completed.map(lastWord));
    const [value, path, program] = answers.slice(typed.length);
    expect([value, path, program?.split(' ')]).toEqual(['off', 'our_own.yaml', expect.arrayContaining(['true'])]);
  });

  it.skipIf(missing.includes('zsh'))('in zsh', async () => {
    const file = await scriptFor('zsh');
    const others = ['ringback serve --strict=of', 'ringback scenarios validate our'];
    const answers = completeInZsh(file, [...typed, ...others]);
    expect(answers).toEqual([...completed, 'ringback serve --strict=off', 'ringback scenarios validate our_own.yaml']);
  });

  it.skipIf(missing.includes('fish'))('in fish', async () => {
    const file = await scriptFor('fish');
    const others = ['ringback serve --strict=of', 'ringback scenarios validate our'];
    const answers = completeInFish(file, [...typed, ...others]);
    expect(answers).toEqual([...completed.map(lastWord), '--strict=off', 'our_own.yaml']);
  });
});
