// Which ancestors of a server wait for it, as a pure function of a table of processes.
import { describe, expect, it } from 'vitest';
import { type ProcessFacts, readFromProc, readFromPs, waitingFor } from '../../src/cli/waiting-ancestors.ts';

const SERVER = 100;
const npx = 'npm exec ringback serve';

/** Reads a chain of processes, the server's parent first; each is a command line with `|` between its arguments. */
function chain(...commands: string[]) {
  const facts = ['node|/app/dist/main.js|serve', ...commands].map((command, index): ProcessFacts => {
    const [line = '', session] = command.split(' @');
    return { ppid: SERVER + index + 1, session: session ?? 'one', args: line.split('|') };
  });
  return (pid: number): ProcessFacts | undefined => facts[pid - SERVER];
}

describe('a server', () => {
  it.each([
    ['npx and its shell', [`sh|-c|ringback serve`, npx], [101, 102]],
    ['npx whose shell has become the server', [npx], [101]],
    ['npm start', ['sh|-c|node dist/main.js serve', 'npm start'], [101, 102]],
    ['pnpm', ['node|/usr/lib/pnpm/bin/pnpm.cjs|exec|ringback'], [101]],
    ['yarn', ['/bin/sh|-c|ringback serve', '/usr/bin/node|/usr/bin/yarn.js|ringback'], [101, 102]],
    [
      'a shell that waits for npx',
      ['sh|-c|ringback serve', npx, 'bash|-eo|pipefail|-c|npx ringback serve'],
      [101, 102, 103],
    ],
    ['a script that calls npx', ['sh|-c|ringback', npx, 'sh|-c|npx ringback', 'npm run sandbox'], [101, 102, 103, 104]],
    ['npx, with its output redirected', ['sh|-c|ringback serve >log 2>&1 && echo', npx], [101, 102]],
  ])('run by %s ends with each of them', (_, commands, expected) => {
    expect(waitingFor(SERVER, false, chain(...commands))).toEqual(expected);
  });

  it.each([
    ['started by hand', ['-bash']],
    ['started by a test program', ['node|/app/node_modules/.bin/vitest', 'sh|-c|vitest', 'npm test']],
    ['started through a shell by a test program', ['sh|-c|ringback serve', 'node|jest', 'sh|-c|jest', 'npm test']],
    ['in the background of an npm script', ['sh|-c|ringback serve & ringback readyz', 'npm run start:bg']],
    ['that an npm script lets survive', ['sh|-c|nohup ringback serve', 'npm run start:bg']],
    ['with a session of its own', ['sh|-c|ringback serve @two', `${npx} @two`]],
    ['of a supervisor', ['node|/usr/bin/pm2']],
    ['of a shell script', ['bash|./serve.sh', 'sh|-c|./serve.sh', 'npm start']],
    ['whose parent has ended', []],
  ])('%s waits for nobody', (_, commands) => {
    expect(waitingFor(SERVER, false, chain(...commands))).toEqual([]);
  });

  it.each([
    ['that starts it', ['node|vitest', 'sh|-c|vitest', 'npm test'], [101]],
    ['that starts npx', ['sh|-c|ringback serve', npx, 'node|jest', 'npm test'], [101, 102, 103]],
    ['that starts it through a shell', ['sh|-c|ringback serve', 'node|jest'], [101, 102]],
  ])('ends with the program %s and holds its input', (_, commands, expected) => {
    expect(waitingFor(SERVER, true, chain(...commands))).toEqual(expected);
    const elsewhere = commands.map((command) => (/^node/.test(command) ? `${command} @two` : command));
    expect(waitingFor(SERVER, true, chain(...elsewhere))).not.toContain(expected.at(-1));
  });

  it('outlives a shell that may have started it in the background, whatever its input is', () => {
    for (const above of ['bash|-e|step.sh', '-bash', 'sh|-c|ringback serve & npm test']) {
      expect(waitingFor(SERVER, true, chain(above, 'node|runner'))).toEqual([]);
    }
  });

  it('outlives the script that started npx in the background, and whoever started that', () => {
    for (const above of ['bash|-e|step.sh', 'sh|-c|npx ringback serve & npm test', '-bash', 'sshd', 'timeout|60|npx']) {
      expect(waitingFor(SERVER, false, chain('sh|-c|ringback serve', npx, above, 'npm test'))).toEqual([101, 102]);
    }
  });
});

it.runIf(process.platform === 'linux')('processes are read alike from /proc and from ps', () => {
  const [proc, ps] = [readFromProc(process.pid), readFromPs(process.pid)];
  expect(proc?.ppid).toBe(process.ppid);
  expect(ps.ppid).toBe(process.ppid);
  expect(ps.args.join(' ')).toContain(String(proc?.args[0]));
});
