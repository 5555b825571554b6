// Scenarios of a world: PUT, GET and DELETE /_sandbox/scenarios/{name} (`interface.md` section 5), and their limits.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { type Answer, clientOf, expectError, playing } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';
import { thorough } from '../support/thorough.ts';
import { stretched } from '../support/until.ts';
import { busyLine, inWorld, putYaml, scenarioOf, untilIdle, useScenarios } from './setup.ts';

const folderOf = temporaryFolders();
const { sandbox, client } = useScenarios();
const head = 'kind: call\nsummary: A line of our own.\n';

describe('scenarios of a world', () => {
  const read = async (name: string, of = client): Promise<Answer['body']> =>
    (await of.get(`/_sandbox/scenarios/${name}`)).body.data;
  const drop = (name: string, of = client): Promise<Answer> => of.delete(`/_sandbox/scenarios/${name}`);

  it('are accepted as YAML', async () => {
    const world = inWorld(sandbox, 'overlay-yaml');
    for (const type of ['application/yaml', 'text/yaml', 'application/x-yaml; charset=utf-8']) {
      const answer = await world.put('/_sandbox/scenarios/own_line', busyLine(), { 'Content-Type': type });
      expect(answer.status, type).toBe(type === 'application/yaml' ? 201 : 200);
      expect(answer.body.data).toMatchObject({ name: 'own_line', kind: 'call', origin: 'world', error: null });
    }
    const id = await world.call('+12125550147', playing('own_line'));
    await untilIdle(world);
    expect((await world.readCall(id)).status).toBe('BUSY');
  });

  it('are accepted as JSON', async () => {
    const world = inWorld(sandbox, 'overlay-json');
    const answer = await world.put('/_sandbox/scenarios/own_line', {
      kind: 'call',
      summary: 'A line of our own.',
      parameters: { wait: '4s' },
      timeline: [{ after: '$wait', trigger: 'unreachable' }],
    });
    expect(answer.status, answer.text).toBe(201);
    const start = Date.parse((await world.get('/_sandbox/clock')).body.data.now);
    await world.call('+12125550147', playing('own_line;wait=9s'));
    const [step] = await untilIdle(world);
    expect(step?.to).toBe('FAILED');
    expect(Date.parse(step?.at as string) - start).toBe(9000);
  });

  describe('whose steps take a parameter as input', () => {
    const world = () => inWorld(sandbox, 'overlay-input');
    beforeEach(async () => {
      const flags = { after: '1d', trigger: 'flag', with: { spam_risk: '$risk' } };
      const answer = await world().put('/_sandbox/scenarios/spam', {
        kind: 'phone_number',
        summary: 'Carriers flag the number.',
        parameters: { risk: 'high' },
        timeline: [
          { after: '3s', trigger: 'activate' },
          { branch: [1, 2].map((weight) => ({ weight, timeline: [flags] })) },
        ],
      });
      expect(answer.status, answer.text).toBeLessThan(300);
    });

    it('refuse a request with a value that the step cannot take, and say what it can', async () => {
      const refused = 'risk is "bad"; must be one of medium, high';
      const ordered = await world().post('/v1/phone-numbers', { area_code: '212' }, playing('spam;risk=bad'));
      expectError(ordered, 400, 'validation_error');
      expect(ordered.body.error.fields).toEqual({ 'X-Sandbox-Scenario': refused });
      const active = await world().put('/_sandbox/active-scenarios/phone_number', { use: 'spam;risk=bad' });
      expectError(active, 400, 'validation_error');
      expect(active.body.error.fields).toEqual({ use: refused });
      // One that nothing plays is refused all the same, as an unknown name is.
      expectError(await world().get('/v1/calls', playing('spam;risk=bad')), 400, 'validation_error');
    });

    it('play every other value', async () => {
      const ordered = await world().post('/v1/phone-numbers', { area_code: '212' }, playing('spam;risk=medium'));
      expect(ordered.status, ordered.text).toBe(201);
      const steps = await untilIdle(world());
      expect(steps.map(({ trigger }) => trigger)).toEqual(['activate', 'flag']);
    });
  });

  it('claim numbers until they are deleted', async () => {
    const world = inWorld(sandbox, 'overlay-numbers');
    await putYaml(world, 'own_line', busyLine('numbers: ["03", "77"]\n'));
    for (const to of ['+12125550103', '+19175550103', '+12125550177']) {
      expect(scenarioOf(await world.dial(to))).toBe('own_line');
    }
    expect(scenarioOf(await world.dial('+12125550101'))).toBe('busy');
    expect((await drop('own_line', world)).status).toBe(204);
    expect(scenarioOf(await world.dial('+12125550103'))).toBe('voicemail');
    expect(scenarioOf(await world.dial('+12125550177'))).toBe('answered');
  });

  it('a claimed number appears once in the catalogue, under the scenario that plays', async () => {
    const world = inWorld(sandbox, 'overlay-catalogue');
    await putYaml(world, 'own_line', busyLine('numbers: ["03"]\n'));
    const { numbers } = (await world.get('/_sandbox/catalog')).body.data;
    expect(numbers.filter(({ number }: { number: string }) => number === '03')).toEqual([
      { number: '03', scenario: 'own_line', kind: 'call' },
    ]);
  });

  it('replace a bundled one of the same name until they are deleted', async () => {
    const world = inWorld(sandbox, 'overlay-name');
    await putYaml(world, 'busy', busyLine('numbers: ["01"]\n', 'reject'));
    expect((await read('busy', world)).origin).toBe('world');
    const id = await world.call('+12125550101');
    await untilIdle(world);
    expect((await world.readCall(id)).failure_code).toBe('carrier_rejected');
    await drop('busy', world);
    expect((await read('busy', world)).origin).toBe('bundled');
    const next = await world.call('+12125550101');
    await untilIdle(world);
    expect((await world.readCall(next)).failure_code).toBe('busy');
  });

  it('can be the default of their kind', async () => {
    const world = inWorld(sandbox, 'overlay-default');
    await putYaml(world, 'own_line', busyLine('default: true\n'));
    expect(scenarioOf(await world.dial('+12125550147'))).toBe('own_line');
    await drop('own_line', world);
    expect(scenarioOf(await world.dial('+12125550147'))).toBe('answered');
  });

  it('that replace the default become the default', async () => {
    const world = inWorld(sandbox, 'overlay-answered');
    await putYaml(world, 'answered', busyLine());
    const id = await world.call('+12125550147');
    await untilIdle(world);
    expect((await world.readCall(id)).status).toBe('BUSY');
  });

  it('never leave a kind without a default', async () => {
    const world = inWorld(sandbox, 'overlay-other-kind');
    const answer = await putYaml(
      world,
      'answered',
      'kind: caller_id\nsummary: Not a call.\ntimeline:\n  - { after: 1s, trigger: speak_code }\n',
    );
    if (answer.status >= 300) expectError(answer, 400, 'validation_error');
    expect((await world.dial('+12125550147')).status).toBe(202);
  });

  it('survive a reset', async () => {
    await putYaml(client, 'own_line', busyLine('numbers: ["77"]\n'));
    await sandbox.reset();
    expect(scenarioOf(await client.dial('+12125550177'))).toBe('own_line');
    await drop('own_line');
  });

  it('are visible to their own world only', async () => {
    const here = inWorld(sandbox, 'overlay-here');
    const there = inWorld(sandbox, 'overlay-there');
    await putYaml(here, 'own_line', busyLine('numbers: ["01"]\n'));
    expect((await there.get('/_sandbox/scenarios/own_line')).status).toBe(404);
    expect(scenarioOf(await there.dial('+12125550101'))).toBe('busy');
    expectError(await there.dial('+12125550147', playing('own_line')), 400, 'validation_error');
    expectError(await drop('own_line', there), 404, 'not_found');
    expect(scenarioOf(await here.dial('+12125550101'))).toBe('own_line');
  });

  it('may be edited during a call, which continues as scheduled', async () => {
    const world = inWorld(sandbox, 'overlay-planned');
    await putYaml(world, 'own_line', busyLine());
    const id = await world.call('+12125550147', playing('own_line'));
    expect((await putYaml(world, 'own_line', busyLine('', 'unreachable'))).status).toBe(200);
    const next = await world.call('+12125550147', playing('own_line'));
    await untilIdle(world);
    expect((await world.readCall(id)).status).toBe('BUSY');
    expect((await world.readCall(next)).status).toBe('FAILED');
  });

  it('that extend another change with it', async () => {
    const world = inWorld(sandbox, 'overlay-extends');
    await putYaml(world, 'own_base', busyLine());
    await putYaml(world, 'own_child', 'kind: call\nsummary: A child.\nextends: own_base\n');
    await putYaml(world, 'own_base', busyLine('', 'unreachable'));
    expect((await read('own_child', world)).timeline).toEqual((await read('own_base', world)).timeline);
  });

  it('bundled ones cannot be deleted', async () => {
    expectError(await drop('busy'), 404, 'not_found');
    expect((await read('busy')).origin).toBe('bundled');
  });

  it('an unknown one is 404 with the nearest name', async () => {
    const answer = await client.get('/_sandbox/scenarios/voicemial');
    expectError(answer, 404, 'not_found');
    expect(answer.body.error.message).toContain('did you mean voicemail?');
  });

  it('that claim a taken number are refused, and the first keeps it', async () => {
    const world = inWorld(sandbox, 'overlay-claims');
    await putYaml(world, 'first_line', busyLine('numbers: ["60"]\n'));
    const answer = await putYaml(world, 'second_line', busyLine('numbers: ["61", "60"]\n'));
    expectError(answer, 400, 'validation_error');
    expect(answer.body.error.fields.numbers).toMatch(/\bline 3\b/);
    expect(answer.body.error.fields.numbers).toContain('first_line');
    expect(scenarioOf(await world.dial('+12125550160'))).toBe('first_line');
    expect(scenarioOf(await world.dial('+12125550161'))).toBe('answered');
  });

  it('keep the last valid version after a refused edit', async () => {
    const world = inWorld(sandbox, 'overlay-kept');
    await putYaml(world, 'own_line', busyLine('numbers: ["60"]\n'));
    expectError(await putYaml(world, 'own_line', busyLine('', 'bussy')), 400, 'validation_error');
    expect(scenarioOf(await world.dial('+12125550160'))).toBe('own_line');
  });

  it('may use YAML anchors', async () => {
    const world = inWorld(sandbox, 'overlay-anchors');
    const text = `${head}parameters: { wait: &wait 4s }\ntimeline:\n  - { after: *wait, trigger: busy }\n`;
    expect((await putYaml(world, 'own_line', text)).status).toBe(201);
    expect((await read('own_line', world)).timeline).toEqual([{ after: '4s', trigger: 'busy', with: {} }]);
  });

  describe('that are many or long', () => {
    /** Almost as long as allowed, and slow to read: its keys must be unique. */
    const long = `${head}parameters:\n${Array.from({ length: 750 }, (_, at) => `  k${at}: 1s`).join('\n')}\n`;

    it.runIf(thorough)('stay fast to edit: the others are not read again', async () => {
      const world = inWorld(sandbox, 'overlay-long');
      for (const name of ['one', 'two', 'three']) expect((await putYaml(world, name, long)).status).toBe(201);
      const began = performance.now();
      expect((await putYaml(world, 'four', busyLine())).status).toBe(201);
      expect(performance.now() - began).toBeLessThan(stretched(300));
    });

    it('are refused if one is too long, or all of them together', async () => {
      const world = inWorld(sandbox, 'overlay-too-long');
      const wide = `${busyLine()}#${'x'.repeat(60_000)}`;
      expectError(await putYaml(world, 'one', `${wide}${'x'.repeat(64 * 1024)}`), 413, 'payload_too_large');
      for (const name of ['one', 'two', 'three', 'four']) await putYaml(world, name, wide);
      const answer = await putYaml(world, 'five', wide);
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toContain('262144 characters');
      expect((await world.get('/_sandbox/scenarios/five')).status).toBe(404);
      expect((await putYaml(world, 'four', wide)).status, 'in its own place').toBe(200);
    });

    it('are refused if they would be slow to read, one or all of them together', async () => {
      const world = inWorld(sandbox, 'overlay-too-slow');
      const tooLong = await putYaml(world, 'one', `${long}${'# \n'.repeat(1000)}`);
      expectError(tooLong, 400, 'validation_error');
      expect(tooLong.body.error.fields.body).toContain('more than 5000 words, spaces, line ends and marks');
      for (let n = 1; n <= 8; n++) expect((await putYaml(world, `line_${n}`, long)).status).toBe(201);
      const answer = await putYaml(world, 'five', long);
      expectError(answer, 409, 'conflict');
      expect(answer.body.error.message).toMatch(/would be made of 4\d{4} words, .* at most 40000 are allowed/);
      expect((await world.get('/_sandbox/scenarios/five')).status).toBe(404);
      const yaml = { 'Content-Type': 'application/yaml' };
      expectError(await world.post('/_sandbox/scenarios/five/check', long, yaml), 409, 'conflict');
      expect((await putYaml(world, 'line_4', long)).status, 'in its own place').toBe(200);
    });

    it.runIf(thorough)('are refused beyond one thousand', async () => {
      const state = join(folderOf(), 'state.json');
      const before = await createSandbox({ clock: 'manual', state });
      await putYaml(clientOf(before.url), 'line_1', busyLine());
      await before.close();
      const dump = JSON.parse(readFileSync(state, 'utf8'));
      const rows = dump.worlds.default.rows.scenario_overlays;
      for (let n = 2; n <= 1000; n++) {
        rows.push({ ...rows[0], id: `line_${n}`, private: { ...rows[0].private, rank: n } });
      }
      writeFileSync(state, JSON.stringify(dump));
      const after = await createSandbox({ clock: 'manual', state });
      try {
        const own = clientOf(after.url);
        expect((await putYaml(own, 'line_1000', busyLine())).status).toBe(200);
        const answer = await putYaml(own, 'line_1001', busyLine());
        expectError(answer, 409, 'conflict');
        expect(answer.body.error.message).toContain('1000 scenarios');
        expect(scenarioOf(await own.dial('+12125550147', playing('line_1000')))).toBe('line_1000');
      } finally {
        await after.close();
      }
    });
  });

  it.each(['Own', '9line', 'own%20line', 'a'.repeat(65)])('%s is not a valid name', async (name) => {
    expectError(await putYaml(client, name, busyLine()), 400, 'validation_error');
  });
});
