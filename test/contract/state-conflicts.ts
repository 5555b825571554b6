// The states that forbid an operation, each with a way into that state and what its 409 must say.
import { dataOf } from '../support/caller-trust.ts';
import { FROM } from '../support/client.ts';
import { agentsOf, JOBS, startJob } from '../support/outbound.ts';
import { approveBrand, BRAND, BRAND_DETAILS, CAMPAIGNS, NUMBERS, order, registerBrand } from '../support/texting.ts';
import type { ValidRequest } from '../support/valid-request.ts';
import { callerTrustConflicts } from './caller-trust-conflicts.ts';
import { type Parts, post, type StateConflict } from './state-conflict.ts';

const TO = '+12125550100';

async function disableAgent({ client }: Parts): Promise<string> {
  const [id] = await agentsOf(client);
  dataOf(await client.patch(`/v1/agents/${id}`, { enabled: false }));
  return id;
}

const withDisabledAgent = (operation: string, request: (agent: string) => ValidRequest): StateConflict => ({
  operation,
  state: 'an agent that is disabled',
  prepare: disableAgent,
  request: (_, agent) => request(agent),
  names: 'disabled',
  allowed: /only an enabled agent/,
});

/** An operation on a job to which `moves` were done, one after the other. */
const onJob = (operation: string, move: string, state: string, ...moves: readonly string[]): StateConflict => ({
  operation,
  state: `a job that is ${state}`,
  async prepare({ client }) {
    const { id } = await startJob(client, { to_numbers: [TO] });
    for (const each of moves) dataOf(await client.post(`${JOBS}/${id}/${each}`));
    return id;
  },
  request: (_, job) => post(`${JOBS}/${job}/${move}`),
  names: `The job is ${state}`,
  allowed: /only a .+ job can be (paused|resumed|canceled)/,
});

const agentConflicts: readonly StateConflict[] = [
  withDisabledAgent('createAgentWebCall', (agent) => post(`/v1/agents/${agent}/web-call`)),
  withDisabledAgent('createCall', (agent_id) => post('/v1/calls', { to_number: TO, agent_id })),
  withDisabledAgent('createJob', (agent_id) => post(JOBS, { to_numbers: [TO], agent_id })),
  withDisabledAgent('createRoomToken', (agent_id) => post('/v1/room-token', { agent_id })),
  onJob('pauseJob', 'pause', 'paused', 'pause'),
  onJob('pauseJob', 'pause', 'canceled', 'cancel'),
  onJob('resumeJob', 'resume', 'queued'),
  onJob('resumeJob', 'resume', 'canceled', 'cancel'),
  onJob('cancelJob', 'cancel', 'canceled', 'cancel'),
];

async function releaseNumber({ client }: Parts): Promise<undefined> {
  dataOf(await client.delete(`${NUMBERS}/4190`));
}

async function pendingBrand({ client }: Parts): Promise<undefined> {
  dataOf(await registerBrand(client), 201);
}

async function approvedBrand({ client, sandbox }: Parts): Promise<undefined> {
  await approveBrand(client, sandbox);
}

const textingConflicts: readonly StateConflict[] = [
  {
    operation: 'createPhoneNumber',
    state: 'a number that is taken',
    async request(client) {
      const { phone_number } = dataOf(await order(client), 201);
      return post(NUMBERS, { phone_number });
    },
    names: 'already taken',
    allowed: /GET \/v1\/phone-numbers\/available/,
    fields: ['phone_number'],
  },
  {
    operation: 'updatePhoneNumber',
    state: 'a number that is RELEASED',
    prepare: releaseNumber,
    request: () => ({ method: 'PATCH', path: `${NUMBERS}/4190`, body: { name: 'Other' } }),
    names: 'RELEASED',
    allowed: /only a PROVISIONING or ACTIVE number/,
  },
  {
    operation: 'setPhoneNumberCnam',
    state: 'a number that is RELEASED',
    prepare: releaseNumber,
    request: () => ({ method: 'PUT', path: `${NUMBERS}/4190/cnam`, body: { cnam_display_name: 'HARBOR' } }),
    names: 'RELEASED',
    allowed: /only a PROVISIONING or ACTIVE number/,
  },
  {
    operation: 'createBrand',
    state: 'a brand that is pending',
    prepare: pendingBrand,
    request: () => post(BRAND, BRAND_DETAILS),
    names: 'pending',
    allowed: /only a rejected one/,
  },
  {
    operation: 'createBrand',
    state: 'a brand that is approved',
    prepare: approvedBrand,
    request: () => post(BRAND, BRAND_DETAILS),
    names: 'approved',
    allowed: /only a rejected one/,
  },
  {
    operation: 'createBrandCampaign',
    state: 'no brand',
    request: () => post(CAMPAIGNS, { use_case: 'customer_care' }),
    names: 'no brand registration',
    allowed: /needs an approved one/,
  },
  {
    operation: 'createBrandCampaign',
    state: 'a brand that is pending',
    prepare: pendingBrand,
    request: () => post(CAMPAIGNS, { use_case: 'customer_care' }),
    names: 'pending',
    allowed: /needs an approved one/,
  },
  {
    operation: 'createBrandCampaign',
    state: 'a number that may send already',
    prepare: approvedBrand,
    request: () => post(CAMPAIGNS, { use_case: 'customer_care', phone_numbers: ['+14155550193', FROM] }),
    names: 'some phone numbers cannot be registered',
    allowed: /texting_status/,
    fields: ['phone_numbers.1'],
  },
];

const SUBSCRIPTIONS = '/api/v1/webhook_subscriptions';
const webhookConflicts: readonly StateConflict[] = [
  {
    operation: 'createWebhookSubscription',
    state: 'a thousand subscriptions of that type',
    isLong: true,
    async prepare({ client }): Promise<undefined> {
      const one = { webhook_url: 'https://hooks.example.com/x', event_type: 'sms_sent' };
      for (let made = 0; made < 1000; made += 50) {
        await Promise.all(Array.from({ length: 50 }, () => client.post(SUBSCRIPTIONS, one)));
      }
    },
    request: () => post(SUBSCRIPTIONS, { webhook_url: 'https://hooks.example.com/y', event_type: 'sms_sent' }),
    names: '1000',
    allowed: /Delete some/,
  },
];

export const stateConflicts: readonly StateConflict[] = [
  ...callerTrustConflicts,
  ...agentConflicts,
  ...textingConflicts,
  ...webhookConflicts,
];
