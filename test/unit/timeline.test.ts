// From a scenario's timeline to tasks, without a server: instants, draws and parameters.
import { describe, expect, it } from 'vitest';
import { LATEST_INSTANT } from '../../src/clock/clock.ts';
import { makeScenario } from '../../src/scenarios/make-scenario.ts';
import { readScenarioFile, type Scenario } from '../../src/scenarios/scenario.ts';
import { timelineTasks } from '../../src/scenarios/timeline.ts';

const CALL = { table: 'calls', id: 'call-1' } as const;

function scenarioOf(text: string): Scenario {
  const source = `kind: call\nsummary: An example.\n${text}`;
  return makeScenario('example', source, readScenarioFile('example.yaml', source), undefined);
}

function tasksOf(scenario: Scenario, { given = {}, from = 0, drawKey = 'key' } = {}): [trigger: string, at: number][] {
  return timelineTasks(scenario, given, CALL, from, drawKey).map(({ task, at }) => [task.trigger, at]);
}

describe('a timeline', () => {
  const plain = scenarioOf(`
timeline:
  - { after: 500ms, trigger: ring }
  - { after: 2s, trigger: answer }
  - { after: 1m, trigger: complete, with: { disconnection_reason: AGENT_INITIATED } }
`);

  it('becomes one task per step about the record, each after the one before', () => {
    expect(timelineTasks(plain, {}, CALL, 1000, 'key')).toEqual([
      { at: 1500, task: { type: 'fire', subject: CALL, trigger: 'ring', input: {} } },
      { at: 3500, task: { type: 'fire', subject: CALL, trigger: 'answer', input: {} } },
      {
        at: 63_500,
        task: {
          type: 'fire',
          subject: CALL,
          trigger: 'complete',
          input: { disconnection_reason: 'AGENT_INITIATED' },
        },
      },
    ]);
  });

  it('schedules nothing after the last instant that can be written', () => {
    const instants = tasksOf(plain, { from: LATEST_INSTANT - 1000 }).map(([, at]) => at);
    expect(instants).toEqual([LATEST_INSTANT - 500, LATEST_INSTANT, LATEST_INSTANT]);
  });
});

describe('a range', () => {
  const ranged = scenarioOf(
    'timeline:\n  - { after: 2s..4s, trigger: ring }\n  - { after: 2s..4s, trigger: answer }\n',
  );

  it('is drawn within its bounds, from the draw key and the position, and is the same each time', () => {
    const draws = Array.from({ length: 200 }, (_, n) => tasksOf(ranged, { drawKey: `key ${n}` }));
    expect(draws).toEqual(Array.from({ length: 200 }, (_, n) => tasksOf(ranged, { drawKey: `key ${n}` })));
    const durations = draws.map(([ring, answer]) => [ring?.[1] ?? 0, (answer?.[1] ?? 0) - (ring?.[1] ?? 0)] as const);
    for (const duration of durations.flat()) {
      expect(duration).toBeGreaterThanOrEqual(2000);
      expect(duration).toBeLessThanOrEqual(4000);
    }
    expect(new Set(durations.flat()).size).toBeGreaterThan(100);
    expect(durations.some(([first, second]) => first !== second)).toBe(true);
  });
});

describe('a branch', () => {
  const branched = scenarioOf(`
timeline:
  - branch:
      - weight: 3
        timeline: [{ after: 1s, trigger: ring }, { after: 1s, trigger: answer }]
      - weight: 1
        timeline: [{ after: 1s, trigger: busy }]
`);

  it('is drawn by weight, and only the chosen one is scheduled', () => {
    const counts: Record<string, number> = {};
    for (let n = 0; n < 1000; n++) {
      const triggers = tasksOf(branched, { drawKey: `key ${n}` }).map(([trigger]) => trigger);
      counts[triggers.join(' ')] = (counts[triggers.join(' ')] ?? 0) + 1;
    }
    expect(Object.keys(counts).sort()).toEqual(['busy', 'ring answer']);
    expect(counts.busy).toBeGreaterThan(200);
    expect(counts.busy).toBeLessThan(300);
  });
});

describe('parameters', () => {
  const parametric = scenarioOf(`
parameters: { ring: 1s, reason: USER_REJECTED }
timeline:
  - { after: $ring, trigger: busy, with: { disconnection_reason: $reason } }
`);
  const taskOf = (given: Record<string, string>) => timelineTasks(parametric, given, CALL, 0, 'key')[0];

  it('stand for durations and inputs: the ones of the request, else the ones of the scenario', () => {
    expect(taskOf({})).toMatchObject({ at: 1000, task: { input: { disconnection_reason: 'USER_REJECTED' } } });
    expect(taskOf({ ring: '3s' })).toMatchObject({
      at: 3000,
      task: { input: { disconnection_reason: 'USER_REJECTED' } },
    });
    expect(taskOf({ reason: 'OTHER' })).toMatchObject({ at: 1000, task: { input: { disconnection_reason: 'OTHER' } } });
    expect(taskOf({})).toMatchObject({ at: 1000, task: { input: { disconnection_reason: 'USER_REJECTED' } } });
  });
});
