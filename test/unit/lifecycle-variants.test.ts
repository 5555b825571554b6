// What another input makes of a record than the tables of `transitions/` show, and what other code asks about records.
import { describe, expect, it } from 'vitest';
import type { AssumptionValues } from '../../src/assumptions/catalogue.ts';
import { enumOf } from '../../src/contract/document.ts';
import { callIsLive, callOutcomes } from '../../src/lifecycles/call.ts';
import { identityIsNotRejected } from '../../src/lifecycles/display-identity.ts';
import { enterpriseIsOpen } from '../../src/lifecycles/enterprise.ts';
import { lifecycles } from '../../src/lifecycles/index.ts';
import { applyTransition } from '../../src/lifecycles/lifecycle.ts';
import { messageHasEnded } from '../../src/lifecycles/message.ts';
import { numberIsHeld, spamRiskAt, withoutFlag } from '../../src/lifecycles/phone-number.ts';
import { remediationIsOpen } from '../../src/lifecycles/remediation.ts';
import { billedAmount, outcomes } from '../../src/lifecycles/remediation-outcomes.ts';
import { isLooking } from '../../src/lifecycles/tasks.ts';
import type { InputOf, LifecycleTable, StatusOf, TriggerOf } from '../../src/lifecycles/triggers.ts';
import type { Row } from '../../src/model.ts';
import { AT, before, NUMBER } from './transitions/records.ts';

function applied<Table extends LifecycleTable, Trigger extends TriggerOf<Table>>(
  table: Table,
  status: StatusOf<Table>,
  trigger: Trigger,
  input: InputOf<Table, Trigger>,
  more: { readonly changes?: object; readonly assumptions?: AssumptionValues } = {},
) {
  const { [table]: lifecycle } = lifecycles;
  const record = lifecycle.withStatus({ ...before[table], ...more.changes } as Row<Table>, status);
  return applyTransition(lifecycle, record, trigger, input, AT, more.assumptions ?? {});
}

describe('another input', () => {
  it('of a submission decides its vetting', () => {
    const submission = { carrier_enterprise_id: 'carrier-1', loa_document_id: 'document-1' };
    const findings = ['The EIN is missing.'];
    const submitted = applied('enterprises', 'DRAFT', 'submit', { ...submission, findings })?.record;
    expect(submitted?.private.findings).toEqual(findings);
    const changes = { private: submitted?.private };
    const subject = { table: 'enterprises', id: 'enterprise-1' };
    expect(applied('enterprises', 'PENDING_VETTING', 'review', {}, { changes })?.effects).toEqual([
      { type: 'fire', subject, trigger: 'reject', input: { reasons: findings } },
    ]);
  });

  it('leaves how often reputation is checked to the customer, then to the world', () => {
    const submit = (own: object, assumptions: AssumptionValues = {}) =>
      applied(
        'enterprises',
        'DRAFT',
        'submit',
        { carrier_enterprise_id: 'c', loa_document_id: 'd' },
        { changes: { private: own, reputation: null }, assumptions },
      );
    expect(submit({})?.record.reputation?.check_frequency).toBe('business_daily');
    expect(submit({}, { check_frequency: 'monthly' })?.record.reputation?.check_frequency).toBe('monthly');
    expect(submit({ check_frequency: 'never' })?.record.reputation?.check_frequency).toBe('never');
    expect(submit({})?.events).toEqual([]);
    expect(submit({}, { enterprise_events: 'every_change' })?.events).toEqual(['enterprise.status.updated']);
    const approved = applied('enterprises', 'PENDING_VETTING', 'approve', {}, { changes: { reputation: null } });
    expect(approved?.record.reputation?.check_frequency).toBe('business_daily');
  });

  it('flags a number with that risk, after the changes that were planned before', () => {
    const earlier = { at: AT - 1, spam_risk: 'medium' } as const;
    const changes = { private: { status: 'ACTIVE', spam_risk: 'low', risk_changes: [earlier] } };
    const flagged = applied('phone_numbers', 'ACTIVE', 'flag', { spam_risk: 'medium' }, { changes });
    expect(flagged?.record.private.risk_changes).toEqual([earlier, { at: AT, spam_risk: 'medium' }]);
  });

  it('gives the numbers of a remediation its outcomes in turn, at the price of the world', () => {
    const numbers = ['1', '2', '3'].map((phone_number) => ({ phone_number, outcome: null, billed_amount_dc: 0 }));
    const completed = applied(
      'remediations',
      'in_progress',
      'complete',
      { outcomes: ['refused', 'remediated'] },
      { changes: { numbers }, assumptions: { billed_amount: 7 } },
    );
    expect(completed?.record.numbers.map(({ outcome, billed_amount_dc }) => [outcome, billed_amount_dc])).toEqual([
      ['refused', 0],
      ['remediated', 7],
      ['refused', 0],
    ]);
    expect(completed?.effects).toHaveLength(1);
  });

  it('is the instant of the answer: less than a second ago, there is no recording', () => {
    const answered = (ms: number) => ({
      changes: { private: { answered_at: new Date(AT - ms).toISOString(), job_contact_id: null } },
    });
    const recorded = { duration_seconds: 1, has_recording: true, has_transcript: true };
    expect(applied('calls', 'IN_PROGRESS', 'hangup', {}, answered(1000))?.record).toMatchObject(recorded);
    const short = { duration_seconds: 0, has_recording: false, has_transcript: false };
    expect(applied('calls', 'IN_PROGRESS', 'hangup', {}, answered(999))?.record).toMatchObject(short);
  });

  it('keeps the instant at which a job first started', () => {
    const resumed = applied('jobs', 'paused', 'resume', {}, { changes: { started_at: NUMBER } });
    expect(resumed?.record.started_at).toBe(NUMBER);
  });
});

/** The statuses of a lifecycle in which something holds of its records. */
function statusesIn<Table extends LifecycleTable>(table: Table, holds: (record: Row<Table>) => boolean): string[] {
  const { [table]: lifecycle } = lifecycles;
  return Object.keys(lifecycle.transitions).filter((status) =>
    holds(lifecycle.withStatus(before[table] as Row<Table>, status as StatusOf<Table>)),
  );
}

describe('a question about a record', () => {
  it('is answered by its status', () => {
    expect(statusesIn('calls', callIsLive)).toEqual(['QUEUED', 'RINGING', 'IN_PROGRESS']);
    expect(statusesIn('messages', messageHasEnded)).toEqual(['delivered', 'undelivered', 'failed', 'received']);
    expect(statusesIn('enterprises', enterpriseIsOpen)).toEqual(['DRAFT', 'REJECTED']);
    expect(statusesIn('remediations', remediationIsOpen)).toEqual(['pending', 'in_progress']);
    expect(statusesIn('phone_numbers', numberIsHeld)).toEqual(['PROVISIONING', 'ACTIVE']);
    expect(statusesIn('display_identities', identityIsNotRejected)).toEqual(['pending', 'approved']);
  });

  it('is answered by the changes of its risk that have come', () => {
    const number = (own: object) => ({ private: own }) as Row<'phone_numbers'>;
    const planned = [
      { at: AT, spam_risk: 'high' },
      { at: AT + 5, spam_risk: 'low' },
    ];
    const changing = number({ spam_risk: 'medium', risk_changes: planned });
    const risks = [AT - 1, AT, AT + 4, AT + 5, AT + 6].map((at) => spamRiskAt(changing, at));
    expect(risks).toEqual(['medium', 'high', 'high', 'low', 'low']);
    expect(spamRiskAt(number({ spam_risk: 'medium' }), AT)).toBe('medium');
    expect(withoutFlag(changing, AT + 5)).toStrictEqual(number({ spam_risk: 'low' }));
    expect(withoutFlag(changing, AT)).toStrictEqual(number({ spam_risk: 'low', risk_changes: planned.slice(1) }));
    expect(withoutFlag(number({ spam_risk: 'high' }), AT)).toStrictEqual(number({ spam_risk: 'low' }));
  });

  it('is answered by how it ended', () => {
    expect(callOutcomes).toEqual(enumOf('CallOutcome'));
    const prices = outcomes.map((outcome) => [outcome, billedAmount(outcome, {})]);
    expect(Object.fromEntries(prices)).toEqual({
      remediated: 1500,
      not_flagged: 0,
      requires_review: 0,
      ineligible: 0,
      refused: 0,
    });
    expect(billedAmount(null, {})).toBe(0);
  });

  it('is answered by its task: only a job that looks for a line may find nothing to do', () => {
    const subject = { table: 'jobs', id: 'job-1' } as const;
    expect(isLooking({ type: 'call_next_contact', subject })).toBe(true);
    expect(isLooking({ type: 'fire', subject, trigger: 'start', input: {} })).toBe(false);
  });
});
