// The events of calls: each request that creates a call, with each scenario that lets it through, and the events that
// follow. `spec.md` "Events"; the assumption event_order.
import { expect } from 'vitest';
import type { EventType } from '../../src/events/catalogue.ts';
import { dataOf } from '../support/caller-trust.ts';
import { type Client, playing } from '../support/client.ts';
import { agentsOf, startJob } from '../support/outbound.ts';
import { SOMEONE } from '../support/texting.ts';
import type { Cause, Scene } from './event-causes.ts';

type CallEvent = Cause['events'][number];

interface Outcome {
  /** What the job counts and tells that placed the call. */
  readonly told: { readonly outcome: string; readonly failure_code: string | null };
  /** The events of the call after new_call, in their order. */
  readonly events: readonly CallEvent[];
}

/** How a call with this status and outcome ends: what a job tells, and the events of every end. */
function ended(
  status: string,
  outcome: string,
  fields: { readonly failure_code: string | null; readonly [field: string]: unknown },
  disposition?: EventType,
): Outcome {
  const end = { status, ...fields };
  const { failure_code } = fields;
  const types = ['call_completed', ...(disposition ? [disposition] : []), 'phone_call.ended'] as const;
  return { told: { outcome, failure_code }, events: types.map((type) => [type, end]) };
}

const answered = (disconnection_reason = 'CLIENT_INITIATED'): Outcome =>
  ended('COMPLETED', 'answered', { failure_code: null, failure_category: null, disconnection_reason });
const unreachable = (status: string, outcome: string, failure_code: string, disposition: EventType): Outcome =>
  ended(status, outcome, { failure_code, failure_category: 'unreachable' }, disposition);
const toVoicemail = { failure_code: 'voicemail_reached', failure_category: 'voicemail' };

/** Every scenario that lets a call through, and how the call ends. */
export const callOutcomes: Readonly<Record<string, Outcome>> = {
  answered: answered(),
  slow_answer: answered(),
  long_call: answered(),
  inbound_answered: answered(),
  dropped_call: answered('CONNECTION_TIMEOUT'),
  busy: unreachable('BUSY', 'busy', 'busy', 'call_busy'),
  no_answer: unreachable('NO_ANSWER', 'no_answer', 'no_answer', 'call_no_answer'),
  rings_on_screen: unreachable('NO_ANSWER', 'no_answer', 'no_answer', 'call_no_answer'),
  call_declined: unreachable('FAILED', 'failed', 'call_declined', 'call_failed'),
  number_unreachable: unreachable('FAILED', 'failed', 'number_unreachable', 'call_failed'),
  carrier_rejected: unreachable('FAILED', 'failed', 'carrier_rejected', 'call_failed'),
  voicemail: ended('VOICEMAIL', 'voicemail', toVoicemail, 'call_voicemail'),
};

type CallRequest = (scene: Scene, scenario: string) => Promise<unknown>;

/** Every request that creates calls, with the scenario that they play. */
const callRequests: Readonly<Record<string, CallRequest>> = {
  'a dial': ({ client }, scenario) => client.call(SOMEONE, playing(scenario)),
  'POST /v1/calls': async ({ client }, scenario) => {
    const [, agent_id] = await agentsOf(client);
    const answer = await client.post('/v1/calls', { agent_id, to_number: SOMEONE }, playing(scenario));
    expect(answer.status, answer.text).toBe(202);
  },
  'a job': callJob,
  'an inbound call': async ({ client }, scenario) =>
    dataOf(await client.post('/_sandbox/simulate/inbound-call', { scenario }), 201),
};

async function callJob({ client }: Scene, scenario: string): Promise<void> {
  dataOf(await client.put('/_sandbox/active-scenarios/call', { use: scenario }));
  await startJob(client, { contact_ids: [await firstContact(client)] });
}

async function firstContact(client: Client): Promise<string> {
  const [contact] = dataOf(await client.get('/v1/contacts'));
  return contact.id;
}

function callCause(request: string, scenario: string): Cause {
  const { told, events } = callOutcomes[scenario] as Outcome;
  const direction = request === 'an inbound call' ? 'inbound' : 'outbound';
  return {
    act: (scene) => (callRequests[request] as CallRequest)(scene, scenario),
    events: [
      ['new_call', { direction, status: 'QUEUED', failure_code: null, duration_seconds: null }],
      ...events.map(([type, fields]) => [type, { direction, ...fields }] as const),
      ...(request === 'a job' ? [['workflow_contact_completed', told] as const] : []),
    ],
  };
}

/** Each request that creates a call, with each scenario. */
export const callCauses: Readonly<Record<string, Cause>> = {
  ...Object.fromEntries(
    Object.keys(callRequests).flatMap((request) =>
      Object.keys(callOutcomes).map((scenario) => [
        `${request} with the scenario ${scenario}`,
        callCause(request, scenario),
      ]),
    ),
  ),
  'a job whose call is refused': {
    act: (scene) => callJob(scene, 'dnc_suppressed'),
    events: [['workflow_contact_completed', { outcome: 'refused', call_id: null, failure_code: 'dnc_suppressed' }]],
  },
};
