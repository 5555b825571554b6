// `ringback scenarios new|validate|play`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandShell } from '../support/command-shell.ts';
import { temporaryFolders } from '../support/folders.ts';
import { programs } from '../support/program.ts';

const shell = commandShell();
const { run } = programs();
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

  it('of the project are those without a path, and the folder is named', async () => {
    const folder = folderOf({
      'our_own.yaml': readFileSync('scenarios/busy.yaml', 'utf8').replace(/^numbers.*\n/m, ''),
    });
    const environment = { RINGBACK_SCENARIOS: folder };
    const valid = { code: 0, stdout: `${folder}: 1 file: valid.\n`, stderr: '' };
    expect(await shell(['scenarios', 'validate'], environment)).toEqual(valid);
    expect(await shell(['scenarios', 'play', 'our_own'], environment)).toMatchObject({ code: 0, stderr: '' });
    const missing = await shell(['scenarios', 'play', 'our_one'], environment);
    const says = `"our_one" is not a known scenario, neither a bundled one nor one of ${folder}; did you mean our_own?`;
    expect(missing).toEqual({ code: 2, stdout: '', stderr: `ringback: ${says}\n` });
    writeFileSync(join(folder, 'our_own.yaml'), 'kind: call\n');
    const { code, stdout } = await shell(['scenarios', 'validate', '--json'], environment);
    expect([code, JSON.parse(stdout).valid]).toEqual([1, false]);
  });

  it('are looked for in ringback/scenarios without RINGBACK_SCENARIOS, and missing ones are an error', async () => {
    const scenario = readFileSync('scenarios/busy.yaml', 'utf8').replace(/^numbers.*\n/m, '');
    const project = folderOf({ 'ringback/scenarios/our_own.yaml': scenario });
    const validate = (folder: string) => run(['scenarios', 'validate'], {}, folder);
    const [found, none] = await Promise.all([validate(project), validate(folderOf())]);
    expect(found).toEqual({ code: 0, stdout: `${join('ringback', 'scenarios')}: 1 file: valid.\n`, stderr: '' });
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('give files or folders; RINGBACK_SCENARIOS'),
    });
  });
});
