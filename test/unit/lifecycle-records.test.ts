// What the lifecycles say beside their tables: the kinds of scenarios, the inputs that files may give, and how records begin.
import { describe, expect, it } from 'vitest';
import { callIsLive, callLifecycle, newCall, transcriptLine } from '../../src/lifecycles/call.ts';
import { lifecycleOfKind, lifecycles, namedLifecycles, scenarioKinds } from '../../src/lifecycles/index.ts';
import { applyTransition, inputForm, isTerminal, statusAfter } from '../../src/lifecycles/lifecycle.ts';
import { MAX_TEXT_LENGTH, messageLifecycle, newMessage } from '../../src/lifecycles/message.ts';
import type { LifecycleTable } from '../../src/lifecycles/triggers.ts';
import type { Row } from '../../src/model.ts';
import { NOW, NUMBER } from './transitions/records.ts';

/** The statuses of a lifecycle in which something holds. */
const statusesIn = (table: LifecycleTable, holds: (status: never) => boolean): string[] =>
  Object.keys(lifecycles[table].transitions).filter((status) => holds(status as never));

describe('the kinds of scenarios', () => {
  const tableOf = {
    call: 'calls',
    caller_id: 'caller_ids',
    phone_number: 'phone_numbers',
    cnam: 'cnam_listings',
    texting_registration: 'texting_registrations',
    sms: 'messages',
    document: 'documents',
    enterprise: 'enterprises',
    remediation: 'remediations',
    display_identity: 'display_identities',
    job: 'jobs',
  };

  it('are those of the records that scenarios play', () => {
    expect([...scenarioKinds].sort()).toEqual(Object.keys(tableOf).sort());
    for (const [kind, table] of Object.entries(tableOf)) expect(lifecycleOfKind(kind)?.table).toBe(table);
    expect(lifecycleOfKind('null')).toBeUndefined();
    for (const [table, lifecycle] of namedLifecycles) expect(lifecycle.table).toBe(table);
  });

  it('begin in the status that creation gives, a vetting in the one of the submission', () => {
    const beginnings = [...namedLifecycles.values()].map(({ table, initial, playedFrom }) => [
      table,
      playedFrom === undefined ? initial : `${initial} ${playedFrom}`,
    ]);
    expect(Object.fromEntries(beginnings)).toEqual({
      calls: 'QUEUED',
      caller_ids: 'PENDING_VERIFICATION',
      phone_numbers: 'PROVISIONING',
      cnam_listings: 'pending',
      texting_registrations: 'pending',
      messages: 'accepted',
      documents: 'pending',
      enterprises: 'DRAFT PENDING_VETTING',
      remediations: 'pending',
      display_identities: 'pending',
      jobs: 'queued',
      job_contacts: 'pending',
    });
  });

  it('end in these statuses, which nothing on a schedule leaves', () => {
    const terminal = (table: LifecycleTable) => statusesIn(table, (status) => isTerminal(lifecycles[table], status));
    expect(Object.fromEntries([...namedLifecycles.values()].map(({ table }) => [table, terminal(table)]))).toEqual({
      calls: ['COMPLETED', 'BUSY', 'NO_ANSWER', 'VOICEMAIL', 'FAILED', 'CANCELED'],
      caller_ids: ['VERIFIED', 'REVOKED'],
      phone_numbers: ['RELEASED'],
      cnam_listings: ['approved', 'rejected'],
      texting_registrations: ['approved', 'rejected'],
      messages: ['undelivered', 'failed', 'received'],
      documents: ['verified', 'denied'],
      enterprises: ['APPROVED', 'REJECTED'],
      remediations: ['completed', 'failed', 'cancelled'],
      display_identities: ['approved', 'rejected'],
      jobs: ['completed', 'canceled'],
      job_contacts: ['completed'],
    });
    expect(isTerminal(lifecycles.calls, 'nonsense')).toBe(false);
  });

  it('name their triggers where one is fired that they do not have', () => {
    const { documents } = lifecycles;
    const fire = () => applyTransition(documents, { status: 'pending' } as never, 'ring' as never, {} as never, 0, {});
    expect(fire).toThrow(new Error('"ring" is not a trigger of documents; it has clean, infected'));
  });

  it('know no status and no trigger by the names that every object has', () => {
    expect(statusAfter(callLifecycle, 'QUEUED', 'ring')).toBe('RINGING');
    expect(statusAfter(callLifecycle, 'QUEUED', 'answer')).toBeUndefined();
    expect(statusAfter(callLifecycle, 'QUEUED', 'constructor')).toBeUndefined();
    expect(statusAfter(callLifecycle, 'constructor', 'name')).toBeUndefined();
    expect(inputForm(callLifecycle, 'constructor')).toBeUndefined();
    expect(inputForm(callLifecycle, 'hangup')).toBeUndefined();
  });
});

describe('the inputs that files may give', () => {
  const nothing = { takes: [{}], refuses: [{ reasons: ['no'] }, null] };
  const reasons = {
    takes: [{ reasons: ['no'] }, { reasons: ['no', 'never'] }],
    refuses: [{}, { reasons: [] }, { reasons: [''] }, { reasons: 'no' }, { reasons: ['no'], more: 1 }],
  };
  const callEnd = {
    takes: [{}, { disconnection_reason: 'AGENT_INITIATED' }],
    refuses: [{ disconnection_reason: '' }, { disconnection_reason: 1 }, { reason: 'x' }],
  };
  const failure = {
    takes: [{}, { error_message: 'Spam.' }],
    refuses: [{ error_message: '' }, { error_message: null }, { reason: 'x' }],
  };
  const text = {
    takes: [{ text: 'Y' }, { text: 'x'.repeat(1600) }],
    refuses: [{}, { text: '' }, { text: 'x'.repeat(1601) }, { text: 'Y', more: 1 }],
  };
  const given = {
    takes: [{ outcomes: ['remediated'] }, { outcomes: ['refused', 'not_flagged'] }],
    refuses: [{}, { outcomes: [] }, { outcomes: ['approved'] }, { outcomes: ['refused'], more: 1 }],
  };
  const flag = {
    takes: [{}, { spam_risk: 'medium' }, { spam_risk: 'high' }],
    refuses: [{ spam_risk: 'low' }, { spam_risk: '' }, { risk: 'high' }],
  };

  it.each([
    [
      'call',
      {
        ring: nothing,
        answer: nothing,
        complete: callEnd,
        busy: callEnd,
        no_answer: callEnd,
        voicemail: callEnd,
        decline: callEnd,
        unreachable: callEnd,
        reject: callEnd,
      },
    ],
    ['sms', { send: nothing, deliver: nothing, undeliver: failure, fail: failure, reply: text }],
    ['job', { start: nothing }],
    ['phone_number', { activate: nothing, flag, recover: nothing }],
    ['cnam', { approve: nothing, reject: nothing }],
    ['caller_id', { speak_code: nothing }],
    ['texting_registration', { approve: nothing, reject: reasons }],
    ['enterprise', { review: nothing, approve: nothing, reject: reasons }],
    ['document', { clean: nothing, infected: nothing }],
    ['remediation', { start: nothing, assess: nothing, complete: given, fail: nothing, cancel: nothing }],
    ['display_identity', { approve: nothing, reject: reasons }],
  ])('of %s have the form of each trigger', (kind, forms) => {
    const lifecycle = lifecycleOfKind(kind);
    if (!lifecycle) throw new Error(kind);
    for (const [trigger, { takes, refuses }] of Object.entries(forms)) {
      const form = inputForm(lifecycle, trigger);
      for (const input of takes) expect(form?.safeParse(input).success, trigger).toBe(true);
      for (const input of refuses) expect(form?.safeParse(input).success, trigger).toBe(false);
    }
  });

  it('of a contact on a list, which no scenario plays, has none', () => {
    expect(inputForm(lifecycles.job_contacts, 'due')?.safeParse({}).success).toBe(true);
    expect(inputForm(lifecycles.job_contacts, 'finish')).toBeUndefined();
  });

  it('have lines of a transcript, which nobody cuts short unless they say so', () => {
    expect(transcriptLine.parse({ role: 'user', text: 'Hi' })).toEqual({
      role: 'user',
      text: 'Hi',
      interrupted: false,
    });
    expect(transcriptLine.safeParse({ role: 'agent', text: 'Hi', interrupted: true }).success).toBe(true);
    for (const line of [
      { role: 'nobody', text: 'Hi' },
      { role: '', text: 'Hi' },
      { role: 'user', text: '' },
    ]) {
      expect(transcriptLine.safeParse(line).success).toBe(false);
    }
    expect(transcriptLine.safeParse({ role: 'user', text: 'Hi', at: 1 }).success).toBe(false);
    // Editors show it.
    for (const field of Object.values(transcriptLine.shape)) expect(field.description).toMatch(/\.$/);
  });
});

describe('a record that begins', () => {
  const placed = {
    id: 'call-1',
    direction: 'outbound',
    from_number: NUMBER,
    to_number: '+12125550100',
    started_at: NOW,
    phone_number_id: 'number-1',
  } as const;

  it('is, as a call, queued, with all fields of its end null', () => {
    const call = newCall({ ...placed, private: { answered_at: null } as Row<'calls'>['private'] });
    expect(call).toStrictEqual({
      ...placed,
      status: 'QUEUED',
      ended_at: null,
      duration_seconds: null,
      has_recording: false,
      recording_url: null,
      has_transcript: false,
      failure_code: null,
      failure_category: null,
      call_outcome: null,
      disconnection_reason: null,
      private: { answered_at: null },
    });
    expect(callIsLive(call)).toBe(true);
    expect(callLifecycle.created).toEqual(['new_call']);
  });

  const content = { organization_id: 'org-1', from_number: NUMBER, to_number: '+12125550100', body: 'Hi' };
  const allocated = { id: 'sms-1', rank: 3, token: (kind: string, ...words: string[]) => `${kind}/${words}` };

  it('is, as a message of the organization, accepted, and the carrier knows it once it is sent', () => {
    expect(newMessage('outbound', content, allocated, NOW)).toStrictEqual({
      id: 'sms-1',
      phone_number: '+12125550100',
      from_number: NUMBER,
      direction: 'outbound',
      status: 'accepted',
      contact_token: 'ctk_contact token/+12125550100',
      provider_id: null,
      error_message: null,
      channel: 'sms',
      created_at: NOW,
      body: 'Hi',
      private: { organization_id: 'org-1', rank: 3, provider_id: 'prv_provider id/sms-1' },
    });
  });

  it('is, as a message from outside, received, and its contact is the sender', () => {
    const received = newMessage('inbound', content, allocated, NOW);
    const contact_token = `ctk_contact token/${NUMBER}`;
    expect(received).toMatchObject({ status: 'received', contact_token, provider_id: 'prv_provider id/sms-1' });
    const created = messageLifecycle.created;
    if (typeof created !== 'function') throw new Error('the events of a message depend on it');
    expect(created(received)).toEqual(['contact_replied']);
    expect(created({ ...received, direction: 'outbound' })).toEqual([]);
    expect(MAX_TEXT_LENGTH).toBe(1600);
  });
});
