// A folder of scenarios (the setting `scenarios`, `interface.md` section 1): what it overrides and what prevents a start.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { temporaryFolders } from '../support/folders.ts';
import { busyLine, openFolders, putYaml, scenarioOf, shown, untilIdle } from './setup.ts';

const folderOf = temporaryFolders();
const open = openFolders();

describe('a folder of scenarios', () => {
  it('overrides bundled scenarios by name and by number', async () => {
    const folder = folderOf({
      'busy.yaml': busyLine('numbers: ["01"]\n', 'reject'),
      'own_line.yml': busyLine('numbers: ["03"]\n'),
      'json_line.json': JSON.stringify({ kind: 'call', summary: 'As JSON.', extends: 'busy', numbers: ['60'] }),
      'notes.txt': 'not a scenario',
    });
    const { own } = await open(folder);
    expect(await shown(own, 'busy')).toMatchObject({ origin: 'folder', error: null });
    expect(scenarioOf(await own.dial('+12125550103'))).toBe('own_line');
    expect(scenarioOf(await own.dial('+12125550102'))).toBe('no_answer');
    const ids = [await own.call('+12125550101'), await own.call('+12125550160')];
    await untilIdle(own);
    for (const id of ids) expect((await own.readCall(id)).failure_code).toBe('carrier_rejected');
    expect((await own.get('/_sandbox/scenarios/notes')).status).toBe(404);
  });

  it('that is broken in several places is refused with all of them', async () => {
    const folder = folderOf({
      'one.yaml': `${busyLine('', 'bussy')}  - { after: $soon, trigger: rang }\n`,
      'two.yaml': 'kind: call\nsummary: ""\nnumbers: [3]\n',
    });
    const refusal = await createSandbox({ scenarios: folder }).catch((error: Error) => error.message);
    for (const fault of [
      'one.yaml:4:18: timeline.0.trigger: "bussy"',
      'two.yaml:2:1: summary: must not be empty',
      'two.yaml:3:11: numbers.0: is 3; must be a string',
    ]) {
      expect(refusal).toContain(fault);
    }
  });

  it('is overridden by scenarios of a world', async () => {
    const { own } = await open(folderOf({ 'own_line.yaml': busyLine('numbers: ["03"]\n') }));
    await putYaml(own, 'world_line', busyLine('numbers: ["03"]\n'));
    expect(scenarioOf(await own.dial('+12125550103'))).toBe('world_line');
    await own.delete('/_sandbox/scenarios/world_line');
    expect(scenarioOf(await own.dial('+12125550103'))).toBe('own_line');
  });

  it.each([
    ['an unknown trigger', { 'bad.yaml': busyLine('', 'bussy') }, /bad\.yaml:4:18: timeline\.0\.trigger: .*bussy/],
    ['invalid YAML', { 'bad.yaml': 'kind: call\nsummary: [\n' }, /bad\.yaml:\d+:\d+: ./],
    [
      'a number that is claimed twice',
      { 'one.yaml': busyLine('numbers: ["60"]\n'), 'two.yaml': busyLine('numbers: ["60"]\n') },
      /two\.yaml:3: numbers: .*"60".*one/,
    ],
    [
      'a name that is used twice',
      { 'mine.json': '{ "kind": "call", "summary": "Mine.", "extends": "busy" }', 'mine.yaml': busyLine() },
      /mine\.yaml:1: .*mine\.json/,
    ],
  ])('%s prevents the start with file, line and reason', async (_, files, message) => {
    const folder = folderOf(files);
    await expect(createSandbox({ scenarios: folder })).rejects.toThrow(message);
    await expect(createSandbox({ scenarios: folder })).rejects.toThrow(folder);
  });

  it('that does not exist prevents the start, and the error names it', async () => {
    const folder = join(folderOf(), 'nowhere');
    await expect(createSandbox({ scenarios: folder })).rejects.toThrow(folder);
  });

  it('may contain temporary files of an editor', async () => {
    const folder = folderOf({ 'own_line.yaml': busyLine('numbers: ["60"]\n'), 'own_line.yaml~': 'kind: [' });
    // The lock of a file that is open in Emacs: a link to nowhere, named like the file.
    symlinkSync('someone@somewhere.1', join(folder, '.#own_line.yaml'));
    const { own } = await open(folder);
    expect(scenarioOf(await own.dial('+12125550160'))).toBe('own_line');
  });
});
