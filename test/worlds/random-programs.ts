// Random sequences of requests to one or several worlds, and what those worlds show afterwards. Tests run one program
// twice and compare.
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { type Answer, type Client, clientOf } from '../support/client.ts';
import type { Receiver } from '../support/receiver.ts';

/** The ids that the actions of one world have got so far. */
export interface KnownIds {
  readonly world: string;
  readonly calls: string[];
  readonly callerIds: string[];
  readonly subscriptions: string[];
}

interface ActionContext {
  readonly client: Client;
  readonly known: KnownIds;
  /** 0 to 9; varies what the action does. */
  readonly pick: number;
  readonly receiverUrl: string;
}

type Action = (context: ActionContext) => Promise<Answer>;

const choose = (ids: readonly string[], pick: number): string => ids[pick % ids.length] ?? 'none';
const EVENT_TYPES = ['new_call', 'call_completed', 'call_busy', 'call_no_answer', 'phone_call.ended'];
const YAML = { 'Content-Type': 'application/yaml' };

/** Waits for deliveries, because whether one is still in flight, and so canceled, depends on the machine's speed. */
const waitForDeliveries = (client: Client): Promise<Answer> => client.post('/_sandbox/clock/advance', { by: '0s' });

const actions: Record<string, Action> = {
  async dial({ client, known, pick }) {
    const answer = await client.dial(`+1212555010${pick}`);
    if (answer.status === 202) known.calls.push(answer.body.call_id ?? answer.body.data.call_id);
    return answer;
  },
  hangUp: ({ client, known, pick }) => client.post(`/v1/calls/${choose(known.calls, pick)}/hangup`),
  async addCallerId({ client, known, pick }) {
    const answer = await client.post('/v1/caller-ids', { phone_number: `+1212555016${pick}` });
    if (answer.status === 201) known.callerIds.push(answer.body.data.caller_id_id);
    return answer;
  },
  async verifyCallerId({ client, known, pick }) {
    const id = choose(known.callerIds, pick);
    const code = await client.get(`/_sandbox/caller-ids/${id}/verification-code`);
    const verification_code = pick % 3 === 0 ? 'wrong' : (code.body.data?.verification_code ?? 'none');
    return client.post(`/v1/caller-ids/${id}/verify`, { verification_code });
  },
  revokeCallerId: ({ client, known, pick }) => client.delete(`/v1/caller-ids/${choose(known.callerIds, pick)}`),
  async updateAgent({ client, pick }) {
    const agents = (await client.get('/v1/agents')).body.data as { id: string }[];
    return client.patch(`/v1/agents/${agents[pick % 2]?.id}`, { greeting: `Greeting ${pick}` });
  },
  async subscribe({ client, known, pick, receiverUrl }) {
    const webhook_url = `${receiverUrl}/${known.world}/${known.subscriptions.length}`;
    const body = { webhook_url, event_type: choose(EVENT_TYPES, pick) };
    const answer = await client.post('/api/v1/webhook_subscriptions', body);
    known.subscriptions.push(answer.body.id);
    return answer;
  },
  async unsubscribe({ client, known, pick }) {
    await waitForDeliveries(client);
    return client.delete(`/api/v1/webhook_subscriptions/${choose(known.subscriptions, pick)}`);
  },
  activateScenario: ({ client, pick }) =>
    client.put('/_sandbox/active-scenarios/call', { use: pick % 2 ? 'no_answer' : ['busy', 'busy'] }),
  deactivateScenario: ({ client }) => client.delete('/_sandbox/active-scenarios/call'),
  setAssumption: ({ client, pick }) =>
    client.put('/_sandbox/assumptions/dial_response_envelope', { value: pick % 2 ? 'data' : 'flat' }),
  putOverlay({ client, pick }) {
    const overlay = `kind: call\nsummary: Quicker.\nextends: answered\nparameters: { ring: ${pick + 1}s }\n`;
    return client.put('/_sandbox/scenarios/answered', overlay, YAML);
  },
  createKey: ({ client }) => client.post('/_sandbox/keys', { scopes: ['account:read'] }),
  simulateCall: ({ client }) => client.post('/_sandbox/simulate/inbound-call', {}),
  simulateContact: ({ client, pick }) => client.post('/_sandbox/simulate/new-contact', { name: `Contact ${pick}` }),
  simulateAppointment: ({ client }) => client.post('/_sandbox/simulate/new-appointment', {}),
  createSubEntity: ({ client, pick }) => client.post('/v1/sub-entities', { name: `Branch ${pick}` }),
  async advance({ client, pick }) {
    const answer = await client.post('/_sandbox/clock/advance', { by: `${pick * 3}s` });
    return { ...answer, body: { now: answer.body.data.now } };
  },
  async reset({ client }) {
    await waitForDeliveries(client);
    return client.post('/_sandbox/reset');
  },
};

/** These always succeed; a program whose requests are all refused would show nothing. */
const successful = new Set([
  'updateAgent',
  'subscribe',
  'activateScenario',
  'deactivateScenario',
  'setAssumption',
  'putOverlay',
  'createKey',
  'simulateCall',
  'simulateContact',
  'simulateAppointment',
  'createSubEntity',
  'advance',
  'reset',
]);

export interface PlannedAction {
  readonly world: string;
  readonly action: string;
  readonly pick: number;
}

export function programs(worlds: readonly string[], maxLength: number): fc.Arbitrary<PlannedAction[]> {
  const planned = fc.record({
    world: fc.constantFrom(...worlds),
    // Dials and advances are more frequent than the rest, so that calls end within a program.
    action: fc.constantFrom(...Object.keys(actions), 'dial', 'dial', 'dial', 'advance', 'subscribe'),
    pick: fc.nat(9),
  });
  return fc.array(planned, { minLength: 5, maxLength });
}

export interface Outcome {
  /** By world: its responses in order, then its lists and journals. */
  readonly seen: Record<string, unknown[]>;
  readonly known: readonly KnownIds[];
  /** The bodies that the receiver got, by path. */
  readonly delivered: Record<string, string[]>;
}

export const nothingKnown = (world: string): KnownIds => ({ world, calls: [], callerIds: [], subscriptions: [] });

/** Sends the request of one action; returns what was answered. */
export async function act(
  sandbox: Sandbox,
  { world, action, pick }: PlannedAction,
  known: KnownIds,
  receiverUrl: string,
): Promise<unknown[]> {
  const context = { client: clientOf(sandbox.url, `svc_test_${world}`), known, pick, receiverUrl };
  const { status, body, headers } = await (actions[action] as Action)(context);
  if (successful.has(action)) expect(status, action).toBeLessThan(300);
  return [action, status, withoutUrl(sandbox, body), headers['x-sandbox-request-id'] ?? null];
}

/** The lists and journals of a world. */
export async function shownBy(sandbox: Sandbox, world: string): Promise<unknown[]> {
  const lists = await listsOf(clientOf(sandbox.url, `svc_test_${world}`));
  return [...lists, ...(await journalsOf(sandbox, world))].map((each) => withoutUrl(sandbox, each));
}

/** The sandbox's port differs between runs. */
const withoutUrl = ({ url }: Sandbox, value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null).replaceAll(url, 'http://sandbox'));

/** Runs a program in a sandbox; deliveries go to the receiver, which is empty afterwards. */
export async function run(sandbox: Sandbox, program: readonly PlannedAction[], receiver: Receiver): Promise<Outcome> {
  const worlds = new Map<string, KnownIds>();
  const seen: Record<string, unknown[]> = {};
  for (const planned of program) {
    const { world } = planned;
    const known = worlds.get(world) ?? nothingKnown(world);
    worlds.set(world, known);
    const log = seen[world] ?? [];
    seen[world] = log;
    log.push(await act(sandbox, planned, known, receiver.url));
  }
  for (const world of worlds.keys()) {
    await sandbox.world(world).clock.untilIdle();
    seen[world]?.push(...(await shownBy(sandbox, world)));
  }
  const delivered: Record<string, string[]> = {};
  for (const { path, raw } of receiver.got.splice(0)) delivered[path] = [...(delivered[path] ?? []), raw.toString()];
  return { seen, known: [...worlds.values()], delivered };
}

const LISTS = [
  '/v1/account',
  '/v1/me',
  '/v1/calls?page_size=100',
  '/v1/agents',
  '/v1/appointments',
  '/v1/caller-ids',
  '/v1/contacts',
  '/v1/phone-numbers',
  '/v1/sub-entities',
  '/v1/usage',
  '/api/v1/webhook_subscriptions',
  '/_sandbox/clock',
  '/_sandbox/keys',
  '/_sandbox/scenarios',
  '/_sandbox/active-scenarios/call',
  '/_sandbox/assumptions',
  '/_sandbox/events',
  '/_sandbox/faults',
  '/_sandbox/lead-sources',
  '/_sandbox/inbox/orders/messages',
];

async function listsOf(client: Client): Promise<unknown[]> {
  const lists: unknown[] = [];
  for (const path of LISTS) lists.push([path, (await client.get(path)).body]);
  return lists;
}

async function journalsOf(sandbox: Sandbox, world: string): Promise<unknown[]> {
  const { requests, deliveries } = sandbox.world(world);
  return [
    ...(await requests()).map(({ id, at, method, path, status, error_code, scenario, request, response }) => [
      id,
      at,
      method,
      path,
      status,
      error_code,
      scenario,
      request.body,
      response.body,
    ]),
    ...(await deliveries()).map(({ id, event_id, subscription_id, url, status, body }) => [
      id,
      event_id,
      subscription_id,
      url,
      status,
      body,
    ]),
  ];
}
