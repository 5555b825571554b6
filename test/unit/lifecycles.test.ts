// The tables of lifecycles, walked without a server: what every trigger makes of a record, and what follows from it.
import { describe, expect, it } from 'vitest';
import { isAbout } from '../../src/events/catalogue.ts';
import { callIsLive } from '../../src/lifecycles/call.ts';
import { lifecycles } from '../../src/lifecycles/index.ts';
import { applyTransition, isTerminal, type Lifecycle } from '../../src/lifecycles/lifecycle.ts';
import type { InputOf, LifecycleTable, StatusOf, TriggerOf } from '../../src/lifecycles/triggers.ts';
import type { Row } from '../../src/model.ts';
import { keysOf } from '../../src/typed-keys.ts';
import { AT, inputs, NUMBER, recordIn, stepsOf } from './lifecycle-steps.ts';

/** A status that only creation leads to. */
const createdIn: Partial<Record<LifecycleTable, readonly string[]>> = { messages: ['received'] };

describe.each(keysOf(lifecycles))('the lifecycle of %s', (table) => {
  const lifecycle = lifecycles[table] as Lifecycle<LifecycleTable>;
  const steps = stepsOf(lifecycle);

  it('reaches every status from its initial one', () => {
    const reached = new Set<string>([lifecycle.initial, ...(createdIn[table] ?? [])]);
    for (let size = 0; size < reached.size; ) {
      size = reached.size;
      for (const [key, { to }] of steps) if (reached.has(key.split(' ')[0] ?? '')) reached.add(to);
    }
    expect([...reached].sort()).toEqual(Object.keys(lifecycle.transitions).sort());
  });

  it('knows each of its triggers in some status', () => {
    const known = new Set([...steps.keys()].map((key) => key.split(' ')[1]));
    expect([...known].sort()).toEqual(Object.keys(inputs[table]).sort());
  });

  it('ends the schedule of a record in a status that nothing on the schedule can leave', () => {
    const { initial, playedFrom = initial, inputs: scheduled, transitions } = lifecycle;
    // The schedule of a job has other tasks than triggers.
    const hasOtherTasks = table === 'jobs' || table === 'job_contacts';
    for (const [status, row] of Object.entries<object>(transitions)) {
      const triggers = Object.keys(row).filter((trigger) => hasOtherTasks || trigger in scheduled);
      const isOver = triggers.length === 0 && status !== initial && status !== playedFrom;
      expect(isTerminal(lifecycle, status), status).toBe(isOver);
    }
  });

  it('leads to records about which its events can be emitted by hand', () => {
    for (const [key, { record, events }] of steps) {
      for (const event of events) expect(isAbout(event, record, {}), `${key}: ${event}`).toBe(true);
    }
  });

  it('schedules nothing for a record in a terminal status', () => {
    for (const [key, { to, effects }] of steps) {
      if (!isTerminal(lifecycle, to)) continue;
      const own = effects.filter((summary) => new RegExp(`^\\w+ of ${table} id-1$`).test(summary));
      expect(own, key).toEqual([]);
    }
  });

  it('does nothing on a trigger that a status does not allow, and throws on one that it does not have', () => {
    const fire = (status: string, trigger: string) =>
      applyTransition(lifecycle, recordIn(lifecycle, status as never), trigger as never, {} as never, AT, {});
    for (const status of Object.keys(lifecycle.transitions)) {
      for (const trigger of Object.keys(inputs[table])) {
        if (!steps.has(`${status} ${trigger}`)) expect(fire(status, trigger), `${status} ${trigger}`).toBeUndefined();
      }
      expect(() => fire(status, 'nonsense')).toThrow(`"nonsense" is not a trigger of ${table}; it has `);
    }
  });
});

describe('the end of a call', () => {
  it('is what sets ended_at, and makes the call live no longer', () => {
    for (const [key, { record }] of stepsOf(lifecycles.calls)) {
      const call = record as Row<'calls'>;
      expect(callIsLive(call), key).toBe(!call.ended_at);
    }
  });

  const end = (trigger: TriggerOf<'calls'>, status: StatusOf<'calls'>, assumptions = {}, job: string | null = null) => {
    const record = recordIn(lifecycles.calls, status);
    const call = { ...record, private: { ...record.private, job_contact_id: job } };
    return applyTransition(lifecycles.calls, call, trigger, {}, AT, assumptions);
  };

  it('counts the whole seconds since the answer, and is recorded if there is one', () => {
    const record = { duration_seconds: 1, has_recording: true, has_transcript: true, failure_code: null };
    expect(end('complete', 'IN_PROGRESS')?.record).toMatchObject({ ...record, ended_at: '2026-01-05T15:00:00.000Z' });
  });

  it('puts the disposition before call_completed where the world assumes so', () => {
    const busy = end('busy', 'RINGING', { event_order: 'disposition_first' });
    expect(busy?.events).toEqual(['call_busy', 'call_completed', 'phone_call.ended']);
  });

  it('fires nothing of a job that did not place it', () => {
    expect(end('hangup', 'RINGING')?.effects).toEqual([]);
  });
});

describe('an end with a reason of its own', () => {
  it('is told with the reason that the scenario gives, else with the usual one', () => {
    const { calls, messages } = lifecycles;
    const hungUp = (input: InputOf<'calls', 'complete'>) =>
      applyTransition(calls, recordIn(calls, 'IN_PROGRESS'), 'complete', input, AT, {})?.record.disconnection_reason;
    expect(hungUp({})).toBe('CLIENT_INITIATED');
    expect(hungUp({ disconnection_reason: 'AGENT_INITIATED' })).toBe('AGENT_INITIATED');
    const failed = (input: InputOf<'messages', 'fail'>) =>
      applyTransition(messages, recordIn(messages, 'sent'), 'fail', input, AT, {})?.record.error_message;
    expect(failed({})).toBe('The carrier refused the message.');
    expect(failed({ error_message: 'Spam.' })).toBe('Spam.');
  });
});

describe('a completed remediation', () => {
  it('gives its numbers the outcomes in turn, with their prices, and clears the flag of the remediated one', () => {
    const { remediations } = lifecycles;
    const record = recordIn(remediations, 'in_progress');
    const outcomes = inputs.remediations.complete;
    const completed = applyTransition(remediations, record, 'complete', outcomes, AT, {});
    expect(completed?.record.numbers).toMatchObject([
      { phone_number: NUMBER, outcome: 'remediated', billed_amount_dc: 1500 },
      { phone_number: '+14155550191', outcome: 'refused', billed_amount_dc: 0 },
    ]);
    const [update] = completed?.effects ?? [];
    if (update?.type !== 'update' || update.table !== 'phone_numbers') throw new Error('no update of a number');
    const number = { private: { spam_risk: 'high' } } as Row<'phone_numbers'>;
    expect(update.set(number).private.spam_risk).toBe('low');
  });
});
