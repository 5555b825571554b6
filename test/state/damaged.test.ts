// State files that a disk, a copy or a person has damaged: a start refuses them, and leaves them as they are.
import {
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { killedCopy, useRestarts } from './setup.ts';

const { startServer, folderOf } = useRestarts();

const FILE = 'state.json';

/** What a server left that was stopped, and then, started again, was killed. */
interface Left {
  readonly stopped: string;
  readonly killed: string;
}

let left: Left | undefined;

async function leave(): Promise<Left> {
  const server = await startServer();
  await server.client.call('+12125550100');
  await server.sandbox.close();
  const stopped = copyOf(dirname(server.file));
  await server.start();
  const hook = { webhook_url: `${server.sandbox.url}/_sandbox/inbox/mine`, event_type: 'call_busy' };
  await server.client.post('/api/v1/webhook_subscriptions', hook);
  // Every delivery saves; until the file is written again, the log has a line for each.
  for (;;) {
    await server.client.call('+12125550101');
    await server.sandbox.clock.untilIdle();
    const killed = killedCopy(dirname(server.file), folderOf);
    if (linesOf(readFileSync(logIn(killed), 'latin1')).length >= 3) return { stopped, killed };
  }
}

const linesOf = (log: string): string[] => log.split('\n').slice(0, -1);
const logIn = (folder: string): string =>
  join(folder, readdirSync(folder).find((name) => name.includes('.log.')) ?? 'no log');

/** A copy that a test may damage. */
function copyOf(folder: string): string {
  const copy = folderOf();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

const contentOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'latin1')]));

/** The message of the refusal, which leaves every file as it is. */
async function refusalOf(folder: string): Promise<string> {
  const before = contentOf(folder);
  const refusal = await createSandbox({ state: join(folder, FILE) }).then(
    async (sandbox) => {
      await sandbox.close();
      return 'it started';
    },
    (error: Error) => error.message,
  );
  expect(refusal).toMatch(/^\S*state\.json.*; name another file with --state, or move this one away to start over$/);
  expect(contentOf(folder)).toEqual(before);
  return refusal;
}

/** The text with another digit in its place, at places all over it: it is JSON as before. */
function* withOtherDigits(text: string, count: number): Generator<string> {
  const digits = [...text.matchAll(/(?<=:)[1-9]/g)];
  for (let n = 0; n < count; n++) {
    const at = digits[Math.floor((n * digits.length) / count)]?.index ?? 0;
    yield text.slice(0, at) + (text[at] === '1' ? '2' : '1') + text.slice(at + 1);
  }
}

it.each([undefined, 2])('a start reads a file that a tool has written anew, with an indent of %s', async (indent) => {
  left ??= await leave();
  const file = join(copyOf(left.stopped), FILE);
  writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8')), null, indent));
  const { client } = await startServer({}, file);
  const { data } = (await client.get('/v1/calls')).body;
  expect(data.map(({ to_number }: { to_number: string }) => to_number)).toContain('+12125550100');
});

describe('a start refuses', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    left ??= await leave();
    folder = copyOf(left.killed);
    file = join(folder, FILE);
  });
  const stoppedFile = (): string => join(left?.stopped ?? '', FILE);

  it('a file in which one digit is another', async () => {
    for (const text of withOtherDigits(readFileSync(file, 'latin1'), 50)) {
      writeFileSync(file, text, 'latin1');
      await refusalOf(folder);
    }
  });

  it('a file that is no JSON at the beginning of a line, in one line', async () => {
    writeFileSync(file, readFileSync(file, 'utf8').replace('\n{', '\nx'));
    await refusalOf(folder);
  });

  it('a file that somebody has changed in an editor', async () => {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('+12125550100', '+12125550109'));
    expect(await refusalOf(folder)).toContain('is damaged, or was changed: it does not match its checksum');
  });

  it('a file that is cut off anywhere', async () => {
    const { length } = readFileSync(file);
    for (let n = 49; n > 0; n--) {
      truncateSync(file, Math.floor((n * length) / 50));
      await refusalOf(folder);
    }
  });

  it('an empty file with a log that has changes', async () => {
    truncateSync(file, 0);
    await refusalOf(folder);
  });

  it('a file of another format, and says both', async () => {
    const { format, ...state } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ format: 5, ...state }));
    expect(await refusalOf(folder)).toContain(`(format ${format}): is 5; must be ${format}`);
  });

  it('a log in which one digit is another, and names the line', async () => {
    const log = logIn(folder);
    const lines = linesOf(readFileSync(log, 'latin1'));
    // A machine that fails leaves a damaged end.
    const [last, ...others] = lines.reverse();
    const whole = others.reverse().join('\n');
    for (const text of withOtherDigits(whole, 50)) {
      writeFileSync(log, `${text}\n${last}\n`, 'latin1');
      expect(await refusalOf(folder)).toMatch(/\.log\.\d+:\d+: is not a state file, or is damaged/);
    }
  });

  it('a log before which one is missing', async () => {
    const log = logIn(folder);
    const number = Number(log.split('.').at(-1));
    renameSync(log, log.replace(/\d+$/, String(number + 1)));
    expect(await refusalOf(folder)).toContain(`what comes between it and ${FILE} is missing`);
  });

  it('a log of a later file, where an earlier one was put back', async () => {
    copyFileSync(stoppedFile(), file);
    expect(await refusalOf(folder)).toContain('does not belong to the state file beside it');
    rmSync(logIn(folder));
    await startServer({}, file);
  });
});
