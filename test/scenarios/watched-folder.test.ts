// A folder of scenarios while a sandbox runs: edits are taken, and an invalid one keeps the last valid version.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectError, playing } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { thorough } from '../support/thorough.ts';
import { eventually } from '../support/until.ts';
import { busyLine, inWorld, openFolders, scenarioOf, shown, untilIdle } from './setup.ts';

const folderOf = temporaryFolders();
const open = openFolders();

describe.concurrent('a watched folder of scenarios', () => {
  it('keeps the last valid version of a file with its `error` until it is repaired', async () => {
    const folder = folderOf({ 'own_line.yaml': busyLine('numbers: ["60"]\n') });
    const file = join(folder, 'own_line.yaml');
    const { own } = await open(folder);
    writeFileSync(file, busyLine('numbers: ["60"]\n', 'bussy'));
    await eventually(async () => expect((await shown(own, 'own_line')).error).not.toBeNull());
    expect((await shown(own, 'own_line')).error).toMatch(/own_line\.yaml:5:18: timeline\.0\.trigger: .*bussy/);
    const id = await own.call('+12125550160');
    writeFileSync(file, busyLine('numbers: ["60"]\n', 'unreachable'));
    await eventually(async () => expect((await shown(own, 'own_line')).error).toBeNull());
    const next = await own.call('+12125550160');
    await untilIdle(own);
    expect((await own.readCall(id)).status).toBe('BUSY');
    expect((await own.readCall(next)).status).toBe('FAILED');
  });

  it.runIf(thorough)('lists a new file that is invalid or refused with its `error`, and never plays it', async () => {
    const folder = folderOf({ 'own_line.yaml': busyLine('numbers: ["60"]\n') });
    const { own } = await open(folder);
    writeFileSync(join(folder, 'broken.yaml'), busyLine('', 'bussy'));
    writeFileSync(join(folder, 'twice.yaml'), busyLine('numbers: ["60"]\n'));
    await eventually(async () => expect((await shown(own, 'twice'))?.error).toMatch(/twice\.yaml:3: .*"60"/));
    const broken = { name: 'broken', origin: 'folder', error: expect.stringMatching(/broken\.yaml:4:18: .*bussy/) };
    expect(await shown(own, 'broken')).toEqual(broken);
    const { data } = (await own.get('/_sandbox/scenarios?page_size=1000')).body;
    const names = data.map(({ name }: { name: string }) => name);
    expect(names).toEqual([...names].sort());
    expect(data[names.indexOf('broken')]).toEqual(broken);
    expect(names.filter((name: string) => name === 'twice')).toHaveLength(1);
    expectError(await own.dial('+12125550147', playing('broken')), 400, 'validation_error');
    expect(scenarioOf(await own.dial('+12125550160'))).toBe('own_line');
    writeFileSync(join(folder, 'broken.yaml'), busyLine());
    await eventually(async () => expect((await shown(own, 'broken')).error).toBeNull());
  });

  it.runIf(thorough)('shows a second file of the same name as `error`, and keeps the first', async () => {
    const folder = folderOf({ 'mine.yaml': busyLine('', 'unreachable') });
    const { own } = await open(folder);
    writeFileSync(join(folder, 'mine.json'), '{ "kind": "call", "summary": "Mine.", "extends": "busy" }');
    await eventually(async () => expect((await shown(own, 'mine')).error).toMatch(/mine\.yaml.*mine\.json/));
    expect((await shown(own, 'mine')).timeline[0].trigger).toBe('unreachable');
    rmSync(join(folder, 'mine.yaml'));
    await eventually(async () => expect((await shown(own, 'mine')).error).toBeNull());
    expect((await shown(own, 'mine')).summary).toBe('Mine.');
  });

  it.runIf(thorough)(
    'keeps its scenarios with an `error` while it is missing, and is read again once it is back',
    async () => {
      const folder = folderOf({ 'own_line.yaml': busyLine('numbers: ["60"]\n') });
      const { own } = await open(folder);
      rmSync(folder, { recursive: true });
      await eventually(async () => expect((await shown(own, 'own_line')).error).toContain('is not a folder'));
      expect((await shown(own, 'busy')).error).toBeNull();
      expect(scenarioOf(await own.dial('+12125550160'))).toBe('own_line');
      mkdirSync(folder);
      writeFileSync(join(folder, 'own_line.yaml'), busyLine('numbers: ["60"]\n', 'unreachable'));
      await eventually(async () => expect((await shown(own, 'own_line')).error).toBeNull());
      expect((await shown(own, 'own_line')).timeline[0].trigger).toBe('unreachable');
    },
  );

  it.runIf(thorough).each([
    ['an undefined alias', 'timeline: *nope\n', /own_line\.yaml:3:11: \*nope/],
    [
      'a trigger named like a method of every object',
      'timeline: [{ after: 1s, trigger: constructor }]\n',
      /"constructor" is no/,
    ],
    ['deeply nested sequences', `timeline: ${'['.repeat(50_000)}`, /64 levels/],
  ])('treats an edit with %s as invalid', async (_, text, reason) => {
    const folder = folderOf({ 'own_line.yaml': busyLine('numbers: ["60"]\n') });
    const { own } = await open(folder);
    writeFileSync(join(folder, 'own_line.yaml'), `kind: call\nsummary: Broken.\n${text}`);
    await eventually(async () => expect((await shown(own, 'own_line')).error).toMatch(reason));
    expect(scenarioOf(await own.dial('+12125550160'))).toBe('own_line');
  });

  it.runIf(thorough)('leaves scheduled timelines as they are', async () => {
    const folder = folderOf({ 'own_line.yaml': busyLine() });
    const { own } = await open(folder);
    const id = await own.call('+12125550147', playing('own_line'));
    writeFileSync(join(folder, 'own_line.yaml'), busyLine('', 'unreachable'));
    await eventually(async () => expect((await shown(own, 'own_line')).timeline[0].trigger).toBe('unreachable'));
    await untilIdle(own);
    expect((await own.readCall(id)).status).toBe('BUSY');
  });

  it('takes new files, and restores what deleted ones replaced', async () => {
    const folder = folderOf({ 'busy.yaml': busyLine('numbers: ["01"]\n', 'reject') });
    const { own } = await open(folder);
    writeFileSync(join(folder, 'own_line.yaml'), busyLine('numbers: ["60"]\n'));
    rmSync(join(folder, 'busy.yaml'));
    await eventually(async () => expect(scenarioOf(await own.dial('+12125550160'))).toBe('own_line'));
    expect(await shown(own, 'busy')).toMatchObject({ origin: 'bundled', error: null });
  });

  it.runIf(thorough)(
    'shows the `error` on the edit that claims a taken number, which the other file keeps',
    async () => {
      const folder = folderOf({
        'a_line.yaml': busyLine('numbers: ["60"]\n'),
        'z_line.yaml': busyLine('numbers: ["61"]\n'),
      });
      const { own } = await open(folder);
      writeFileSync(join(folder, 'a_line.yaml'), busyLine('numbers: ["60", "61"]\n'));
      await eventually(async () => {
        const errors = [(await shown(own, 'a_line')).error, (await shown(own, 'z_line')).error];
        expect(errors.filter((error) => error !== null)).toHaveLength(1);
      });
      expect((await shown(own, 'z_line')).error).toBeNull();
      expect((await shown(own, 'a_line')).error).toContain('a_line.yaml:3');
      expect((await shown(own, 'a_line')).numbers).toEqual(['60']);
      expect(scenarioOf(await own.dial('+12125550161'))).toBe('z_line');
    },
  );

  it.runIf(thorough)('applies an edit to the files that extend it', async () => {
    const folder = folderOf({
      'base_line.yaml': busyLine(),
      'child_line.yaml': 'kind: call\nsummary: A child.\nextends: base_line\n',
    });
    const { own } = await open(folder);
    writeFileSync(join(folder, 'base_line.yaml'), busyLine('', 'unreachable'));
    await eventually(async () => expect((await shown(own, 'base_line')).timeline[0].trigger).toBe('unreachable'));
    expect((await shown(own, 'child_line')).timeline[0].trigger).toBe('unreachable');
  });

  it.runIf(thorough)('extends the bundled scenario of the same name anew with every edit', async () => {
    const text = 'kind: call\nsummary: Busy, after a while.\nextends: busy\n';
    const folder = folderOf({ 'busy.yaml': `${text}parameters: { ring: 9s }\n` });
    const { own } = await open(folder);
    expect((await shown(own, 'busy')).parameters).toEqual({ ring: '9s' });
    writeFileSync(join(folder, 'busy.yaml'), text.replace('after a while', 'at once'));
    await eventually(async () => expect((await shown(own, 'busy')).summary).toContain('at once'));
    expect((await shown(own, 'busy')).parameters).toEqual({ ring: '1s..3s' });
  });

  it.runIf(thorough)('is the same for every world', async () => {
    const folder = folderOf();
    const { own, sandbox: seen } = await open(folder);
    const other = inWorld(seen, 'watching');
    await other.get('/v1/account');
    writeFileSync(join(folder, 'own_line.yaml'), busyLine('numbers: ["60"]\n'));
    await eventually(async () => expect(scenarioOf(await own.dial('+12125550160'))).toBe('own_line'));
    expect(scenarioOf(await other.dial('+12125550160'))).toBe('own_line');
  });
});
