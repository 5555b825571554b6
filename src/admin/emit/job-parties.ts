// Who takes part when a contact finishes a job: the job, contact and call that `data` names, and the possible outcomes.
import { newJob } from '../../domain/jobs/new-job.ts';
import { allocateId } from '../../engine/create.ts';
import type { Owner } from '../../engine/records.ts';
import { ApiError, invalidField } from '../../errors/api-error.ts';
import { allErrors, categoryOnCalls, type ErrorRow } from '../../errors/catalogue.ts';
import { applyTriggers, callEndings } from '../../fixtures/past-triggers.ts';
import { callIsLive } from '../../lifecycles/call.ts';
import { jobLifecycle } from '../../lifecycles/job.ts';
import type { Row, TableName } from '../../model.ts';
import { isDialable, isServiceNumber } from '../../number-plan.ts';
import type { Tx } from '../../store/store.ts';
import { keysOf } from '../../typed-keys.ts';
import { nothingNamed } from '../named-records.ts';
import { fictionalNumber } from '../simulate/fictional-number.ts';
import { endedCall, endingsOf, ownNumber } from './calls.ts';
import { contactDraft } from './contacts.ts';
import { type Draft, type Firing, newestContact } from './firing.ts';
import { given, phoneNumber } from './forms.ts';

export type Call = Row<'calls'>;

export interface Parties {
  readonly owner: Owner;
  /** The job that was given; without one, a new job has completed. */
  readonly job: Row<'jobs'> | undefined;
  /** The contact that was given, or has the number; it may be new, or there may be none. */
  readonly contact: Draft<'contacts'> | undefined;
  readonly phone_number: string | null;
  /** The call that was given. */
  readonly call: Call | undefined;
  readonly from_number: string;
}

/** How a contact can finish: with the outcome of a call, or refused with a code, without a call. */
export interface End {
  readonly call: Call | undefined;
  readonly failure_code: string | null;
}

/** 404 if they belong to different organizations, 400 if they contradict one another. */
export function partiesOf(firing: Firing): Parties {
  const job = named(firing, 'jobs', 'job_id');
  const call = named(firing, 'calls', 'call_id');
  const contact = named(firing, 'contacts', 'contact_id');
  const { organization_id } = (job ?? call ?? contact)?.private ?? firing.owner;
  const owner = { organization_id };
  requireOwned(owner, { job, contact, call });
  if (call) checkCall(call, job);
  const its = { ...firing, owner };
  const found = contactOf(its, contact, call);
  const number = call?.to_number ?? (found ? found.record.phone_number : given(firing, 'phone_number', phoneNumber));
  if (call && found && found.record.phone_number !== call.to_number) {
    throw invalidField(
      'data.contact_id',
      `has the number ${found.record.phone_number}; the call went to ${call.to_number}`,
    );
  }
  return {
    owner,
    job,
    contact: found,
    phone_number: number === undefined ? fictionalNumber(firing.tx) : number,
    call,
    from_number: call?.from_number ?? job?.from_number ?? ownNumber(its),
  };
}

function named<Table extends TableName>({ tx, data }: Firing, table: Table, field: string): Row<Table> | undefined {
  const id = data[field];
  return typeof id === 'string' ? tx.get(table, id) : undefined;
}

function requireOwned(
  owner: Owner,
  records: { readonly [noun: string]: Row<'jobs' | 'calls' | 'contacts'> | undefined },
) {
  for (const [noun, record] of Object.entries(records)) {
    if (record && record.private.organization_id !== owner.organization_id) {
      throw nothingNamed(`data.${noun}_id`, noun, record.id);
    }
  }
}

function checkCall(call: Call, job: Row<'jobs'> | undefined): void {
  if (call.direction === 'inbound') {
    throw invalidField('data.call_id', `must be the id of an outbound call, which jobs place; ${call.id} is inbound`);
  }
  if (job && call.from_number !== job.from_number) {
    throw invalidField('data.call_id', `was placed from ${call.from_number}; the job calls from ${job.from_number}`);
  }
}

/** Those of a contact on the list of a job; its call is the given one, or that which has been placed to it. */
export function partiesOfEntry(firing: Firing, entry: Row<'job_contacts'>): Parties {
  const { tx, data } = firing;
  const { organization_id, job_id } = entry.private;
  const job = tx.get('jobs', job_id);
  const call_id = typeof data.call_id === 'string' ? data.call_id : entry.call_id;
  const call = call_id === null ? undefined : tx.get('calls', call_id);
  return {
    owner: { organization_id },
    job,
    contact: undefined,
    phone_number: entry.phone_number,
    call,
    from_number: job?.from_number ?? ownNumber(firing),
  };
}

/** The given contact, else the one with the number that was given or called, else the newest; none if null was given. */
function contactOf(
  firing: Firing,
  contact: Row<'contacts'> | undefined,
  call: Call | undefined,
): Draft<'contacts'> | undefined {
  const { tx, owner, data } = firing;
  if (data.contact_id === null) return undefined;
  const number = call?.to_number ?? given(firing, 'phone_number', phoneNumber);
  const all =
    number === undefined ? [] : tx.page('contacts', 'organization', owner.organization_id, { newestFirst: true });
  const usual = number === undefined ? newestContact(firing) : all.find(({ phone_number }) => phone_number === number);
  const existing = contact ?? usual;
  if (existing) return { record: existing, store: () => existing };
  return number === undefined ? contactDraft(firing) : undefined;
}

/** Every way in which the contact can have finished: first as the given call has ended, else with an answered one. */
export function endsOf(firing: Firing, parties: Parties): End[] {
  const calls = firing.data.call_id === null ? [] : callsOf(firing, parties);
  return [
    ...calls.map((call) => ({ call, failure_code: call.failure_code })),
    ...refusalCodes(parties.phone_number).map((failure_code) => ({ call: undefined, failure_code })),
  ];
}

/** The calls to the contact that can have ended: the given one, in each way, or new ones. */
function callsOf(firing: Firing, { owner, phone_number, call, from_number }: Parties): Call[] {
  const { tx } = firing;
  if (call) return [...(callIsLive(call) ? [] : [call]), ...endingsOf(tx.at, call)];
  if (phone_number === null || !isDialable(phone_number)) return [];
  const allocated = allocateId(tx, 'calls');
  const placing = { direction: 'outbound', from_number, to_number: phone_number } as const;
  return callEndings.map((ending) => endedCall(firing, owner, allocated, placing, ending));
}

/** The codes with which a job can fail to place a call to that number, a usual one first. */
function refusalCodes(phone_number: string | null): readonly string[] {
  if (phone_number === null) return ['destination_missing'];
  if (!isDialable(phone_number)) return [isServiceNumber(phone_number) ? 'destination_blocked' : 'destination_invalid'];
  const codes = keysOf(allErrors).filter((code) => {
    const row: ErrorRow = allErrors[code];
    return row.channel === 'response' && categoryOnCalls(code) !== undefined;
  });
  const possible = codes.filter((code) => code !== 'destination_missing' && code !== 'destination_invalid');
  return ['dnc_suppressed', ...possible.filter((code) => code !== 'dnc_suppressed')];
}

/** A new job that has just ended. */
export function storedJob(tx: Tx, { owner, from_number }: Parties, ending: 'complete' | 'cancel'): Row<'jobs'> {
  const [agent] = tx.page('agents', 'organization', owner.organization_id, { limit: 1 });
  if (!agent) {
    throw new ApiError('conflict', {
      message: 'This organization has no agent, which a job needs.',
      hint: 'Use a fixture with an agent, or name a job in data.job_id.',
    });
  }
  const ended = applyTriggers(jobLifecycle, newJob(tx, owner, { agent_id: agent.id, from_number }), [
    { trigger: 'start', at: tx.at, input: {} },
    { trigger: ending, at: tx.at, input: {} },
  ]);
  tx.put('jobs', ended);
  return ended;
}
