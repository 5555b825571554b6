// `ringback coverage`: what the tests have met of the platform, and what they have not.
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { messageOf } from '../system-errors.ts';
import { WrongUse } from '../wrong-use.ts';
import { type ServerFlags, withServer } from './connect.ts';
import { addFlag, integerFrom } from './flag-value.ts';
import { note, plainLines, print, printJson } from './output.ts';

interface Flags extends ServerFlags {
  readonly min?: number;
  readonly junit?: string;
  readonly worlds?: string;
}

export function define(command: Command): void {
  addFlag(
    command,
    '--min <percent>',
    'exit with 1 unless every part that is judged reaches it',
    'an integer from 0 to 100',
    integerFrom(0, 100),
  );
  addFlag(command, '--junit <file>', 'write it as JUnit XML too', 'the path of a file');
  addFlag(command, '--worlds <glob>', 'add up the worlds whose names match, such as ci-*', 'a glob such as ci-*');
  withServer<Flags>(command, async (control, { min, junit, worlds, json }) => {
    const query = { min, worlds };
    if (junit !== undefined) write(junit, await control.text('getCoverage', { query: { ...query, format: 'junit' } }));
    const coverage = await control.call('getCoverage', { query });
    const { minimum } = coverage;
    const failed = minimum?.passed === false;
    // The text would end with what stderr says.
    const shown = failed ? { worlds } : query;
    if (json) printJson(coverage);
    else print(plainLines((await control.text('getCoverage', { query: { ...shown, format: 'text' } })).trimEnd()));
    if (!failed) return 0;
    note(`ringback: below ${minimum.percent} %: ${minimum.below.join(', ')}`);
    return 1;
  });
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new WrongUse(`--junit: ${file} cannot be written: ${messageOf(error)}`);
  }
}
