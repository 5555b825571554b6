// `ringback scenarios new|validate|play`, and completion scripts in their shell.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandShell } from '../support/command-shell.ts';
import { temporaryFolders } from '../support/folders.ts';

const shell = commandShell();
const folderOf = temporaryFolders();

describe('scenario files', () => {
  it('are written, valid, and can be played', async () => {
    const folder = folderOf();
    const file = join(folder, 'our_own.yaml');
    const written = await shell(['scenarios', 'new', 'our_own', '--folder', folder]);
    expect([written.code, written.stdout]).toEqual([0, `Wrote ${file}.\n`]);
    expect(await shell(['scenarios', 'validate', file])).toEqual({ code: 0, stdout: '1 file: valid.\n', stderr: '' });
    const played = await shell(['scenarios', 'play', file, '--json']);
    expect([played.code, played.stderr]).toEqual([0, '']);
    expect(JSON.parse(played.stdout)).toBeInstanceOf(Object);
    expect((await shell(['scenarios', 'play', 'our_own', '--scenarios', folder])).code).toBe(0);
    const again = await shell(['scenarios', 'new', 'our_own', '--folder', folder]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('it exists; --force overwrites it') });
  });

  it('that are not valid are told with file, line and column', async () => {
    const file = join(folderOf(), 'broken.yaml');
    writeFileSync(file, 'kind: call\nsummary: Ours.\ntimeline:\n  - after: soon\n    trigger: busy\n');
    const { code, stdout } = await shell(['scenarios', 'validate', file]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^\S+broken\.yaml:4:\d+: timeline\S* .*duration/)]);
    const told = JSON.parse((await shell(['scenarios', 'validate', file, '--json'])).stdout);
    expect(told).toMatchObject({ valid: false, files: [file], faults: [{ file, line: 4 }] });
    expect(await shell(['scenarios', 'play', file])).toMatchObject({ code: 2, stdout: '' });
    expect(readFileSync(file, 'utf8')).toContain('soon');
  });

  it('are played by their names, with a suggestion for one that is not known', async () => {
    const busy = await shell(['scenarios', 'play', 'busy;ring=2s']);
    expect([busy.code, busy.stdout]).toEqual([0, expect.stringContaining('BUSY')]);
    const unknown = await shell(['scenarios', 'play', 'bussy']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean busy?')]);
  });
});

describe('the completion script for bash', () => {
  it('completes commands, commands below them, and flags', async () => {
    const { stdout } = await shell(['completion', 'bash']);
    const file = join(folderOf(), 'ringback.bash');
    const complete = (line: string): string[] => {
      const words = line.split(' ').map((word) => `'${word}'`);
      const script = `source ${file}; complete -p ringback >&2; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}
        COMP_LINE='${line}'; COMP_POINT=${line.length}; $(complete -p ringback | sed 's/.*-F \\([^ ]*\\).*/\\1/') ringback; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8', stdio: 'pipe' }).trim().split(/\s+/);
    };
    writeFileSync(file, stdout);
    expect(complete('ringback cl')).toEqual(['clock']);
    expect(complete('ringback clock a')).toEqual(['advance']);
    expect(complete('ringback listen --forw')).toEqual(['--forward-to']);
  });
});
