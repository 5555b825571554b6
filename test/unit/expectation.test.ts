// What a scenario expects is compared with the ways that its timeline can take.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileProblem } from '../../src/file-problem.ts';
import { callLifecycle } from '../../src/lifecycles/call.ts';
import { makeScenario, parentOf } from '../../src/scenarios/make-scenario.ts';
import { readScenarioFile, type Scenario } from '../../src/scenarios/scenario.ts';

const base = (): undefined => undefined;
const made = (data: object, extended: (name: string) => Scenario | undefined = base): Scenario => {
  const source = JSON.stringify({ kind: 'call', summary: 'S.', ...data });
  const file = readScenarioFile('own', source);
  return makeScenario('own', source, file, parentOf(file, extended));
};

const faults = (data: object): string[] => {
  try {
    made(data);
    return [];
  } catch (error) {
    if (error instanceof FileProblem) return error.faults.map(({ field, reason }) => `${field}: ${reason}`);
    throw error;
  }
};

const step = (trigger: string): object => ({ after: '1s', trigger });

describe('an expectation', () => {
  const branched = [
    step('ring'),
    {
      branch: [
        { weight: 1, timeline: [step('answer'), step('complete')] },
        { weight: 1, timeline: [step('no_answer')] },
      ],
    },
  ];

  it.each([['QUEUED RINGING IN_PROGRESS COMPLETED'], ['QUEUED RINGING NO_ANSWER']])(
    'fits if one of the branches leads there: %s',
    (statuses) => {
      expect(faults({ timeline: branched, expect: { statuses: statuses.split(' ') } })).toEqual([]);
    },
  );

  it('fits no mixture of branches', () => {
    const events = ['new_call', 'call_completed', 'call_no_answer', 'phone_call.ended'];
    const statuses = ['QUEUED', 'RINGING', 'IN_PROGRESS', 'COMPLETED'];
    expect(faults({ timeline: branched, expect: { statuses, events } })).toEqual([
      'expect.events.2: "call_no_answer" cannot happen here: step 3 (complete) leads to phone_call.ended',
    ]);
  });

  it('may have its events in either order of the assumption event_order', () => {
    for (const ends of [
      ['call_completed', 'call_busy'],
      ['call_busy', 'call_completed'],
    ]) {
      const events = ['new_call', ...ends, 'phone_call.ended'];
      expect(faults({ timeline: [step('busy')], expect: { events } })).toEqual([]);
    }
  });

  it('may go on after the timeline, where other causes can change the record', () => {
    const job = { kind: 'job', timeline: [step('start')] };
    expect(faults({ ...job, expect: { statuses: ['queued', 'running', 'completed'] } })).toEqual([]);
    expect(faults({ ...job, expect: { statuses: ['queued', 'running', 'queued'] } })).toHaveLength(1);
  });

  it('of the extended scenario is dropped where the own timeline contradicts it', () => {
    const parent = made({ timeline: [step('busy')], expect: { statuses: ['QUEUED', 'BUSY'] } });
    const child = (data: object): Scenario => made({ extends: 'busy', ...data }, () => parent);
    expect(child({}).expect).toEqual(parent.expect);
    expect(child({ timeline: [step('ring'), step('no_answer')] }).expect).toBeUndefined();
  });

  it('fits any valid timeline exactly if it lists the statuses that it leads to', () => {
    const walk = fc.array(fc.nat(20), { maxLength: 6 }).map((choices) => {
      const triggers: string[] = [];
      const statuses = ['QUEUED'];
      for (const choice of choices) {
        const row = callLifecycle.transitions[statuses.at(-1) as 'QUEUED'];
        const possible = Object.keys(row).filter((trigger) => trigger !== 'hangup');
        const trigger = possible[choice % Math.max(possible.length, 1)];
        if (trigger === undefined) break;
        triggers.push(trigger);
        statuses.push(row[trigger as 'ring']?.to as string);
      }
      return { timeline: triggers.map(step), statuses };
    });
    fc.assert(
      fc.property(walk, fc.nat(6), ({ timeline, statuses }, cut) => {
        expect(faults({ timeline, expect: { statuses } })).toEqual([]);
        const shorter = statuses.slice(0, cut);
        if (cut > 0 && cut < statuses.length)
          expect(faults({ timeline, expect: { statuses: shorter } })).toHaveLength(1);
      }),
    );
  });
});
