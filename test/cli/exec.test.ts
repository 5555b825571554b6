// `ringback exec -- CMD`: what the command gets, and how it ends.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandShell } from '../support/command-shell.ts';
import { temporaryFolders } from '../support/folders.ts';

const shell = commandShell();
const folderOf = temporaryFolders();

describe('exec', () => {
  it('gives the command the address and a key of a server that is ready, and ends as the command does', async () => {
    const file = join(folderOf(), 'answer.json');
    const program = `
      const res = await fetch(process.env.RINGBACK_URL + '/v1/me', {
        headers: { Authorization: 'Bearer ' + process.env.RINGBACK_KEY },
      });
      require('node:fs').writeFileSync(process.argv[1], res.status + ' ' + process.argv.slice(2).join(' '));
      process.exit(7);`;
    const script = `(async () => {${program}})()`;
    const end = await shell(['exec', '--clock', 'manual', '--', process.execPath, '-e', script, file, '--json', '-x']);
    expect(end).toEqual({ code: 7, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe('200 --json -x');
  });

  const notExecutable = join(folderOf(), 'text');
  writeFileSync(notExecutable, 'no program');
  it.each([
    ['a signal', ['sh', '-c', 'kill -TERM $$'], 143, ''],
    [
      'a command that is not there',
      ['no-such-command'],
      127,
      'no-such-command cannot be run: there is no such command',
    ],
    ['a file that cannot be run', [notExecutable], 126, 'EACCES'],
  ])('ends as a shell does for %s', async (_, command, code, says) => {
    const end = await shell(['exec', '--', ...command]);
    expect([end.code, end.stdout]).toEqual([code, '']);
    expect(end.stderr).toContain(says);
  });
});
