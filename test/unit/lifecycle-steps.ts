// What the tests of lifecycles walk: a record in each status, an input for each trigger, and what each transition makes of it.
import { expect } from 'vitest';
import type { EventType } from '../../src/events/catalogue.ts';
import type { Effect } from '../../src/lifecycles/effects.ts';
import { applyTransition, type Lifecycle } from '../../src/lifecycles/lifecycle.ts';
import type { InputOf, LifecycleTable, StatusOf, TriggerOf } from '../../src/lifecycles/triggers.ts';
import type { Row } from '../../src/model.ts';
import { keysOf } from '../../src/typed-keys.ts';

export const AT = Date.UTC(2026, 0, 5, 15);
export const NUMBER = '+14155550190';

/** Every trigger of every table with an input: the compiler asks for all of them. */
export const inputs: { [Table in LifecycleTable]: { [Trigger in TriggerOf<Table>]: InputOf<Table, Trigger> } } = {
  calls: {
    ring: {},
    answer: {},
    complete: {},
    busy: {},
    no_answer: {},
    voicemail: {},
    decline: {},
    unreachable: {},
    reject: {},
    hangup: {},
  },
  messages: { send: {}, deliver: {}, undeliver: {}, fail: {}, reply: { text: 'Yes' } },
  jobs: { start: {}, pause: {}, resume: {}, cancel: {}, complete: {} },
  job_contacts: {
    call: { call_id: 'call-1' },
    finish: { outcome: 'busy', failure_code: 'busy' },
    refuse: { outcome: 'refused', failure_code: 'dnc_suppressed' },
    defer: { refusals: 1 },
    due: {},
  },
  phone_numbers: { activate: {}, flag: {}, recover: {}, release: {} },
  cnam_listings: { submit: { display_name: 'HARBOR' }, approve: {}, reject: {} },
  caller_ids: { speak_code: {}, verify: {}, certify: {}, revoke: {}, restart: {} },
  texting_registrations: { approve: {}, reject: { reasons: ['no'] }, submit: { legal_name: 'H', ein: '12-3456789' } },
  enterprises: {
    submit: { carrier_enterprise_id: 'carrier-1', loa_document_id: 'document-1' },
    review: {},
    approve: {},
    reject: { reasons: ['no'] },
  },
  documents: { clean: {}, infected: {} },
  remediations: { start: {}, complete: { outcomes: ['remediated', 'refused'] }, assess: {}, fail: {}, cancel: {} },
  display_identities: { approve: {}, reject: { reasons: ['no'] } },
};

/** As much of a record as its lifecycle reads. */
const records: { [Table in LifecycleTable]: object } = {
  calls: { private: { answered_at: '2026-01-05T14:59:58.500Z', job_contact_id: 'contact-1' } },
  messages: { direction: 'outbound', private: { provider_id: 'prv_1' } },
  jobs: { started_at: null },
  job_contacts: { private: { job_id: 'job-1', refusals: 0 } },
  phone_numbers: { phone_number: NUMBER, private: { status: 'PROVISIONING' } },
  cnam_listings: { phone_number: NUMBER, display_name: 'HARBOR' },
  caller_ids: { private: { spoken_at: null } },
  texting_registrations: { phone_numbers: [NUMBER] },
  enterprises: { reputation: null, private: { details: {} } },
  documents: {},
  remediations: { request_id: 'id-1', numbers: [{ phone_number: NUMBER }, { phone_number: '+14155550191' }] },
  display_identities: {},
};

export function recordIn<Table extends LifecycleTable>(
  lifecycle: Lifecycle<Table>,
  status: StatusOf<Table>,
): Row<Table> {
  return lifecycle.withStatus({ id: 'id-1', ...records[lifecycle.table] } as Row<Table>, status);
}

export interface Step {
  readonly to: string;
  /** The record afterwards. */
  readonly record: Row<LifecycleTable>;
  readonly events: readonly EventType[];
  /** The events, and summaries of the effects. */
  readonly effects: readonly string[];
}

/** What every trigger makes of a record in every status, as `from trigger`; only what its status allows. */
export function stepsOf<Table extends LifecycleTable>(lifecycle: Lifecycle<Table>): Map<string, Step> {
  const steps = new Map<string, Step>();
  for (const from of keysOf(lifecycle.transitions)) {
    for (const trigger of keysOf(inputs[lifecycle.table])) {
      const record = recordIn(lifecycle, from);
      const applied = applyTransition(lifecycle, record, trigger, inputs[lifecycle.table][trigger], AT, {});
      if (!applied) continue;
      expect(lifecycle.status(applied.record)).toBe(applied.to);
      const { to, record: next, events } = applied;
      const effects = [...events, ...applied.effects.map(summaryOf)];
      steps.set(`${from} ${trigger}`, { to, record: next, events, effects });
    }
  }
  return steps;
}

/** One word or two for each effect. */
function summaryOf(effect: Effect): string {
  switch (effect.type) {
    case 'fire':
      return `${effect.trigger} of ${effect.subject.table} ${effect.subject.id}`;
    case 'schedule':
      return `${effect.task.type} of ${effect.task.subject.table} ${effect.task.subject.id}`;
    case 'update':
    case 'cancel_tasks':
      return `${effect.type} ${effect.table} by ${effect.index} ${effect.value}`;
  }
}
