// Invalid files and folders of `--scenarios`, `--fixtures` and `--state` (`interface.md` section 1).
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FILE_FORMAT } from '../../src/state/form.ts';
import { temporaryFolders } from '../support/folders.ts';
import { commandLines } from '../support/program.ts';
import { type pathSettings, refusalLine, refusalOf } from './setup.ts';

const folderOf = temporaryFolders();
const line = commandLines();

describe.concurrent('an invalid file named by a setting', () => {
  const header = { format: FILE_FORMAT, run: 'r', clean: true, crashes: 0, log: 1, gone: {} };
  /** A state file whose world is valid but for these fields. */
  const stateWith = (invalid: object): string => {
    const world = {
      systemTime: 1,
      facts: { name: 'x', fixture: 'default', organization_id: 'a', seed: 1, origin: 'posted' },
      state: {
        clock: { mode: 'manual', speed: 0, systemTime: 1, at: 1, frozen: false, waited: 0 },
        epoch: 1,
        starts_at: 1,
        assumptions: {},
        ordinals_from: 0,
      },
      ...{ rows: {}, deleted: {}, counters: {}, ordinals: {}, schedule: [], journals: {} },
    };
    return JSON.stringify({ ...header, worlds: { x: { ...world, ...invalid } } });
  };
  const ring = { type: 'fire', subject: { table: 'calls', id: 'x' }, trigger: 'ring', input: {} };
  const withTask = (invalid: object): string =>
    stateWith({ schedule: [{ at: 1, order: 1, cause: null, task: { ...ring, ...invalid } }] });
  const scenario = 'kind: call\nsummary: Broken.\ntimeline:\n  - { after: 1s, trigger: bussy }\n';
  const fixture = 'organization: { name: N, slug: n, plan: p }\nuser: { name: U }\n';
  const cases: readonly [
    setting: (typeof pathSettings)[number],
    file: string,
    text: string,
    line: number,
    reason: RegExp,
  ][] = [
    ['scenarios', 'broken.yaml', scenario, 4, /timeline\.0\.trigger: .*bussy/],
    ['fixtures', 'broken.yaml', fixture, 2, /user\.email: ./],
    ['fixtures', 'other-broken.json', '{\n  "organization": 1\n}', 2, /organization: ./],
    ['state', 'state.json', '{ "format": 6, "worlds": ', 1, /not a state file/],
    ['state', 'older.json', '{ "format": 0, "worlds": {} }', 1, new RegExp(`format ${FILE_FORMAT}`)],
    ['state', 'blank.json', ' ', 1, /not a state file/],
    ['state', 'list.json', '[]', 1, /not a state file/],
    ['state', 'nothing.json', 'null', 1, /not a state file/],
    ['state', 'null.json', JSON.stringify({ ...header, worlds: null }), 1, /not a state file/],
    ['state', 'hollow.json', JSON.stringify({ ...header, worlds: { default: {} } }), 1, /worlds\.default\./],
    ['state', 'table.json', stateWith({ rows: { nope: [{}] } }), 1, /worlds\.x\.rows\.nope: .*known/],
    ['state', 'row.json', stateWith({ rows: { calls: [{}] } }), 1, /worlds\.x\.rows\.calls\.0\.private: ./],
    ['state', 'time.json', stateWith({ systemTime: 1e300 }), 1, /worlds\.x\.systemTime: ./],
    ['state', 'journal.json', stateWith({ journals: { diary: { entries: [{ id: 'x' }] } } }), 1, /worlds\.x/],
    [
      'state',
      'task.json',
      stateWith({ schedule: [{ at: 1, order: 1, cause: null }] }),
      1,
      /worlds\.x\.schedule\.0\.task: is required/,
    ],
    [
      'state',
      'type.json',
      withTask({ type: 'call' }),
      1,
      /schedule\.0\.task\.type: must be one of fire, call_next_contact/,
    ],
    ['state', 'trigger.json', withTask({ trigger: 'rnig' }), 1, /schedule\.0\.task\.trigger: "rnig" .*one of ring,/],
    ['state', 'internal.json', withTask({ trigger: 'hangup' }), 1, /schedule\.0\.task\.trigger: "hangup"/],
    ['state', 'lifecycle.json', withTask({ subject: { table: 'users', id: 'x' } }), 1, /task\.subject\.table: "users"/],
    ['state', 'input.json', withTask({ input: { loud: true } }), 1, /schedule\.0\.task\.input: ./],
  ];

  const settingValue = (setting: string, path: string): string => (setting === 'scenarios' ? join(path, '..') : path);

  it.each(cases)(
    'for --%s, such as %s, is rejected with file, line and reason',
    async (setting, file, text, line, reason) => {
      const path = join(folderOf({ [file]: text }), file);
      const message = await refusalOf({ [setting]: settingValue(setting, path) });
      expect(message).toContain(`${path}:${line}:`);
      expect(message).toMatch(reason);
    },
  );

  const starts = cases.map(([setting, file, text, at]) => {
    const path = join(folderOf({ [file]: text }), file);
    const byVariable = { [`RINGBACK_${setting.toUpperCase()}`]: settingValue(setting, path) };
    return { setting, file, path, at, end: line(['serve', '--port', '0'], byVariable) };
  });
  it.each(starts)(
    'for --$setting, such as $file, stops the start with exit code 2 and one line',
    ({ path, at, end }) => {
      expect(refusalLine(end())).toContain(`${path}:${at}:`);
    },
  );

  it.each([
    ['scenarios', 'nowhere'],
    ['fixtures', 'nowhere.yaml'],
    ['state', 'nowhere/state.json'],
  ])('for --%s that does not exist, such as %s, is rejected with one line that names both', async (setting, name) => {
    const path = join(folderOf(), name);
    const message = await refusalOf({ [setting]: path });
    expect(message).toMatch(new RegExp(`^${path}: .*\\(--${setting}\\)$`));
  });
});
