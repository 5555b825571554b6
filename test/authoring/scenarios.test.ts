// Writing scenarios: checking files without a server, playing one as a drawing, starting a new file.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawPlayed } from '../../src/authoring/draw-timeline.ts';
import { scenarioSkeleton } from '../../src/authoring/new-scenario.ts';
import { playScenario } from '../../src/authoring/play-scenario.ts';
import { validateScenarios } from '../../src/authoring/validate-scenarios.ts';
import { scenarioKinds } from '../../src/lifecycles/index.ts';
import { busyLine } from '../scenarios/setup.ts';
import { compiled, underlined } from '../schemas/setup.ts';
import { temporaryFolders } from '../support/folders.ts';

const folderOf = temporaryFolders();

describe('validating scenario files', () => {
  it('finds nothing wrong with the bundled ones', () => {
    const { files, faults } = validateScenarios(['scenarios']);
    expect(files).toEqual(
      readdirSync('scenarios')
        .sort()
        .map((name) => join('scenarios', name)),
    );
    expect(faults).toEqual([]);
  });

  it('reports all faults of a file at once, each with its place and what is allowed', () => {
    const folder = folderOf({
      'bad.yaml': `${busyLine('colour: red\n', 'bussy')}expect:\n  statuses: [QUEUED, BUSSY]\n`,
      'good.yaml': busyLine(),
    });
    const { files, faults } = validateScenarios([folder]);
    expect(files).toEqual([join(folder, 'bad.yaml'), join(folder, 'good.yaml')]);
    expect(faults.map(({ line, column, field }) => `${line}:${column} ${field}`)).toEqual([
      '3:1 colour',
      '5:18 timeline.0.trigger',
      '7:22 expect.statuses.1',
    ]);
    expect(faults.map(({ reason }) => reason).join()).toMatch(
      /allowed: kind, .*did you mean busy\?.*did you mean BUSY\?/,
    );
  });

  it('takes single files, which may extend those beside them, and reports nothing of the others', () => {
    const folder = folderOf({
      'own.yaml': 'kind: call\nsummary: S.\nextends: beside\n',
      'beside.yaml': busyLine(),
      'broken.yaml': busyLine('', 'bussy'),
    });
    expect(validateScenarios([join(folder, 'own.yaml')])).toEqual({ files: [join(folder, 'own.yaml')], faults: [] });
  });

  it.each([
    ['missing.yaml', 'this file or folder does not exist'],
    ['notes.txt', 'must end in .yaml, .yml or .json'],
  ])('reports %s', (name, reason) => {
    const folder = folderOf({ 'notes.txt': '' });
    expect(validateScenarios([join(folder, name)]).faults).toMatchObject([{ reason: expect.stringContaining(reason) }]);
  });
});

describe('playing a scenario', () => {
  it('draws what happened: instants, statuses, events and their deliveries', async () => {
    expect(drawPlayed(await playScenario({ reference: 'busy;ring=2s' }))).toBe(`busy (call): ring=2s
The line is busy, and the call ends without ringing.

  +0.000s  ●  POST /v1/calls/dial  202
           │
           ●  QUEUED               created
           │  └ new_call → delivered (200)
           │
  +2.000s  ●  BUSY                 busy
              ├ call_completed → delivered (200)
              ├ call_busy → delivered (200)
              └ phone_call.ended → delivered (200)
`);
  });

  it('tries again where requests are refused at first, and shows a refusal that lasts', async () => {
    const flaky = await playScenario({ reference: 'flaky_provider' });
    expect(flaky.refused.map(({ status, code }) => `${status} ${code}`)).toEqual(
      Array(2).fill('502 provider_api_error'),
    );
    expect(flaky.timeline?.status).toBe('COMPLETED');
    const refused = await playScenario({ reference: 'dnc_suppressed' });
    expect(refused.timeline).toBeNull();
    expect(drawPlayed(refused)).toContain('POST /v1/calls/dial  refused: 403 dnc_suppressed');
  });

  it('takes scenarios of a folder', async () => {
    const folder = folderOf({ 'own_line.yaml': busyLine() });
    const played = await playScenario({ reference: 'own_line', folder });
    expect(played).toMatchObject({ name: 'own_line', summary: 'A line of our own.', timeline: { status: 'BUSY' } });
  });

  // A scenario of each kind, by the file and the status that the record ends in.
  it.each([
    ['verification_call', 'PENDING_VERIFICATION'],
    ['provisioned', 'ACTIVE'],
    ['cnam_rejected', 'ACTIVE'],
    ['registration_rejected', 'rejected'],
    ['sms_failed', 'failed'],
    ['scan_infected', 'denied'],
    ['vetting_rejected', 'REJECTED'],
    ['not_flagged', 'completed'],
    ['display_identity_rejected', 'rejected'],
    ['job_runs', 'completed'],
  ])('plays %s to its end', async (reference, status) => {
    const { timeline, refused } = await playScenario({ reference });
    expect(refused).toEqual([]);
    expect(timeline?.status).toBe(status);
  });

  it.each([
    ['bussy', '"bussy" is not a known scenario; did you mean busy?'],
    ['busy;rnig=2s', 'busy has no parameter rnig; allowed: ring; did you mean ring?'],
    ['busy;ring=soon', 'ring is "soon"; it must be a duration'],
    ['', 'is not a valid scenario name'],
  ])('refuses "%s"', async (reference, problem) => {
    await expect(playScenario({ reference })).rejects.toThrow(problem);
  });
});

describe('a new scenario', () => {
  const validate = compiled('scenario');

  it.each([...scenarioKinds])('of the kind %s is valid as it is, in the loader and in an editor', (kind) => {
    const text = scenarioSkeleton('own_one', kind, 'scenario.schema.json');
    expect(text).toMatch(/^# yaml-language-server: \$schema=scenario.schema.json\n/);
    const folder = folderOf({ 'own_one.yaml': text });
    expect(validateScenarios([folder])).toEqual({ files: [join(folder, 'own_one.yaml')], faults: [] });
    expect(underlined(validate, text)).toEqual([]);
  });

  it('is valid with what its comments offer', () => {
    const text = scenarioSkeleton('own_one', 'call', 'scenario.schema.json')
      .replace('# numbers:', 'numbers:')
      .replace(/# refuse:\n#( .*)\n/, 'refuse:\n$1\n')
      .replace(/^expect:(\n {2}.*)*$/m, '');
    const folder = folderOf({ 'own_one.yaml': text });
    expect(readFileSync(join(folder, 'own_one.yaml'), 'utf8')).toMatch(/^refuse:$/m);
    expect(validateScenarios([folder]).faults).toEqual([]);
  });

  it.each([
    ['own', 'cal', '"cal" is not a kind of scenario; must be one of call, caller_id,'],
    ['Own Line', 'call', '"Own Line" is not a valid scenario name'],
    ['busy', 'sms', '"busy" is a scenario of the kind call; use another name'],
  ])('named %s, of the kind %s, is refused', (name, kind, problem) => {
    expect(() => scenarioSkeleton(name, kind, 'scenario.schema.json')).toThrow(problem);
  });
});
