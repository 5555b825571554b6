// Runs the commands of a guide as somebody who follows it would: in one shell, those that watch in the background.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Block } from './documents.ts';
import { type programs, root } from './program.ts';

/** A command that is run, and the response shown below it. */
export interface Shown {
  readonly block: Block;
  readonly shown: Block | undefined;
}

/** A command that watches: in the background, once it says that it does. */
const liveCommand = (text: string, index: number, output: string): string =>
  `( ${text.replace(/^npx ringback /, `exec "${process.execPath}" "${root}dist/main.js" `)} ) ${output} &
  live_${index}=$!
  until [ -s ${index}.err ] || ! kill -0 $live_${index} 2>/dev/null; do sleep 0.05; done`;

/** What it has to print can come a little later. */
const stopped = (index: number): string =>
  `for tries in {1..400}; do [ -s ${index}.out ] && break; sleep 0.05; done
  kill $live_${index}; wait $live_${index}; echo $? >${index}.status`;

/** Runs the commands in one shell, each with its output in a file of its own; returns how each of them ended. */
export async function runCommands(
  bash: ReturnType<typeof programs>['bash'],
  commands: readonly Shown[],
  folder: string,
  receiver: number,
  adapt: (text: string) => string,
) {
  const script = [
    'set -uo pipefail',
    `curl() { command curl --fail-with-body --max-time 30 --write-out '%{stderr}%{http_code}' "$@"; }`,
    `npx() { [ "$1" = ringback ] && "${process.execPath}" "${root}dist/main.js" "${'$'}{@:2}"; }`,
    ...commands.map(({ block }, index) => {
      const output = `>${index}.out 2>${index}.err`;
      const text = adapt(block.text).replaceAll('dlv_…', `"$(cat *.out | grep -o 'dlv_[0-9a-f]*' | tail -n 1)"`);
      const listens = `until (: <>/dev/tcp/127.0.0.1/${receiver}) 2>/dev/null; do sleep 0.05; done`;
      // In the place of the shell, which alone is killed in the end.
      if (block.directive === 'second terminal') return `{ exec ${text}} ${output} &\n${listens}`;
      if (block.directive === 'until stopped') return liveCommand(text, index, output);
      // Braces, not a subshell: later commands use the variables of earlier ones.
      return `status=0; trap 'status=$?' ERR\n{ ${text}} ${output}\ntrap - ERR; echo $status >${index}.status`;
    }),
    ...commands.flatMap(({ block }, index) => (block.directive === 'until stopped' ? [stopped(index)] : [])),
    'kill $(jobs -p) 2>/dev/null',
    'true',
  ].join('\n');
  const { code, stderr } = await bash(
    script,
    { no_proxy: '127.0.0.1', RINGBACK_URL: adapt('http://127.0.0.1:4747') },
    folder,
  );
  const read = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  return {
    code,
    stderr,
    results: commands.map((_, index) => ({
      status: read(`${index}.status`).trim(),
      output: read(`${index}.out`),
      errors: read(`${index}.err`),
    })),
  };
}
