// The values of the ledger that calls, their events and lists show: `interface.md` section 9. Each is seen by a client with
// the default and with another value, in two worlds that are open at once.
import { FROM, playing } from '../support/client.ts';
import { agentsOf } from '../support/outbound.ts';
import { joined } from '../support/rooms.ts';
import { instant } from '../support/world.ts';
import { describeCases } from './cases.ts';
import { advance, type Case, eventsOf, resultOf, typesOf } from './setup.ts';

const ringing = async (client: Parameters<Case['act']>[0]): Promise<string> => {
  const id = await client.call('+12125550100');
  await advance(client, '1s');
  return id;
};

const END = ['failure_code', 'failure_category', 'call_outcome', 'disconnection_reason'];

export const callCases: readonly Case[] = [
  {
    name: 'timestamps',
    value: 'seconds',
    act: async (client) => (await client.readCall(await client.call('+12125550101'))).started_at,
    usual: instant(0),
    other: '2026-01-05T15:00:00Z',
  },
  {
    name: 'timestamps',
    value: 'offset',
    async act(client) {
      await client.post('/_sandbox/simulate/new-contact', { name: instant(1) });
      const [{ name, created_at }] = (await client.get('/v1/contacts?page_size=1')).body.data;
      return { name, created_at, sent: (await eventsOf(client, 'contact_created'))[0].updated_at };
    },
    usual: { name: instant(1), created_at: instant(0), sent: instant(0) },
    other: { name: instant(1), created_at: '2026-01-05T15:00:00.000+00:00', sent: '2026-01-05T15:00:00.000+00:00' },
  },
  {
    name: 'success_statuses',
    value: 'always_200',
    async act(client) {
      const dialled = await client.dial('+12125550101');
      const ordered = await client.post('/v1/phone-numbers', {});
      const sent = await client.post('/v1/sms/send', { to_number: '+12125550140', body: 'Hello' });
      return [dialled.status, ordered.status, sent.status];
    },
    usual: [202, 201, 202],
    other: [202, 200, 200],
  },
  {
    name: 'call_started_at',
    value: 'answered',
    async act(client) {
      const id = await ringing(client);
      const before = (await client.readCall(id)).started_at;
      await advance(client, '5s');
      const after = (await client.readCall(id)).started_at;
      return [before === null, after === instant(0), (await eventsOf(client, 'new_call'))[0].created_at];
    },
    usual: [false, true, instant(0)],
    other: [true, false, instant(0)],
  },
  {
    name: 'unanswered_duration',
    value: 'null',
    async act(client) {
      const id = await client.call('+12125550101');
      await advance(client, '5s');
      return [(await client.readCall(id)).duration_seconds, (await eventsOf(client, 'call_busy'))[0].duration_seconds];
    },
    usual: [0, 0],
    other: [null, null],
  },
  {
    name: 'disconnection_reason',
    value: 'null',
    async act(client) {
      const id = await client.call('+12125550101');
      await advance(client, '5s');
      const [event] = await eventsOf(client, 'call_completed');
      return [(await client.readCall(id)).disconnection_reason, event.disconnection_reason];
    },
    usual: ['USER_REJECTED', 'USER_REJECTED'],
    other: [null, null],
  },
  {
    name: 'call_fields',
    value: 'absent',
    async act(client) {
      const id = await client.call('+12125550101');
      const before = Object.keys(await client.readCall(id)).filter((field) => END.includes(field));
      await advance(client, '5s');
      return [before.length, (await client.readCall(id)).failure_code];
    },
    usual: [4, 'busy'],
    other: [0, 'busy'],
  },
  {
    name: 'hangup_status',
    value: 'completed',
    async act(client) {
      const id = await ringing(client);
      const { status } = (await client.post(`/v1/calls/${id}/hangup`)).body.data;
      const [event] = await eventsOf(client, 'call_completed');
      const { status: read, call_outcome } = await client.readCall(id);
      return [status, read, event.status, call_outcome];
    },
    usual: ['CANCELED', 'CANCELED', 'CANCELED', 'canceled'],
    other: ['COMPLETED', 'COMPLETED', 'COMPLETED', 'canceled'],
  },
  {
    name: 'dial_response_envelope',
    value: 'data',
    act: async (client) => Object.keys((await client.dial('+12125550101')).body),
    usual: ['call_id', 'status'],
    other: ['data'],
  },
  {
    name: 'event_order',
    value: 'disposition_first',
    async act(client) {
      await client.call('+12125550101');
      await advance(client, '5s');
      return typesOf(client);
    },
    usual: ['new_call', 'call_completed', 'call_busy', 'phone_call.ended'],
    other: ['new_call', 'call_busy', 'call_completed', 'phone_call.ended'],
    unnamed: true,
  },
  {
    name: 'transcript_absent',
    value: 200,
    async act(client) {
      const answer = await client.get(`/v1/calls/${await client.call('+12125550101')}/transcript`);
      return [resultOf(answer), answer.body.data?.structured_transcript];
    },
    usual: ['404 not_found', undefined],
    other: ['200', []],
  },
  {
    name: 'concurrent_calls',
    value: 1,
    async act(client) {
      await client.call('+12125550108');
      return resultOf(await client.dial('+12125550108'));
    },
    usual: '202',
    other: '429 rate_limited',
  },
  {
    name: 'included_minutes',
    value: 6,
    async act(client) {
      // The fixture's calls have used 6 minutes.
      const { minutes_used } = (await client.get('/v1/usage')).body.data;
      return [minutes_used, resultOf(await client.dial('+12125550100'))];
    },
    usual: [6, '202'],
    other: [6, '402 voice_usage_exhausted'],
  },
  {
    name: 'account_subscription',
    value: 'ended',
    act: async (client) => resultOf(await client.dial('+12125550100')),
    usual: '202',
    other: '402 no_active_subscription',
  },
  {
    name: 'caller_id_ownership',
    value: 'inventory',
    async act(client) {
      const phone_number = '+14155550171';
      const { caller_id_id: id } = (await client.post('/v1/caller-ids', { phone_number })).body.data;
      await advance(client, '1m');
      const { verification_code } = (await client.get(`/_sandbox/caller-ids/${id}/verification-code`)).body.data;
      await client.post(`/v1/caller-ids/${id}/verify`, { verification_code });
      const body = { from_number: phone_number, to_number: '+12125550101' };
      return resultOf(await client.post('/v1/calls/dial', body));
    },
    usual: '202',
    other: '422 call_id_not_verified',
  },
  {
    name: 'disabled_agent',
    value: 'accepted',
    async act(client) {
      const [agent_id] = await agentsOf(client);
      await client.patch(`/v1/agents/${agent_id}`, { enabled: false });
      const called = await client.post('/v1/calls', { agent_id, to_number: '+12125550101' });
      return [resultOf(called), resultOf(await client.post(`/v1/agents/${agent_id}/web-call`))];
    },
    usual: ['409 conflict', '409 conflict'],
    other: ['202', '201'],
  },
  {
    name: 'web_calls',
    value: 'none',
    async act(client) {
      const [agent_id] = await agentsOf(client);
      const { room_url, token } = (await client.post(`/v1/agents/${agent_id}/web-call`)).body.data;
      const browser = await joined(`${room_url}?access_token=${token}`);
      browser.send('{"type":"say","text":"Hello?"}');
      const heard = await Promise.race([browser.waitFor('turn'), browser.waitFor('error')]);
      browser.leave();
      await browser.closed;
      return [heard.type, (await typesOf(client)).includes('new_call')];
    },
    usual: ['turn', true],
    other: ['error', false],
  },
  {
    name: 'default_page_size',
    value: 1,
    act: async (client) => (await client.get('/v1/agents')).body.meta.page_size,
    usual: 25,
    other: 1,
  },
  {
    name: 'page_size_limit',
    value: 'clamped',
    async act(client) {
      const answer = await client.get('/v1/calls?page_size=5000');
      return [resultOf(answer), answer.body.meta?.page_size];
    },
    usual: ['400 validation_error', undefined],
    other: ['200', 100],
  },
  {
    name: 'last_cursor',
    value: 'empty',
    act: async (client) => (await client.get('/v1/agents')).body.meta.cursor,
    usual: null,
    other: '',
  },
  {
    name: 'list_order',
    value: 'newest_first',
    async act(client) {
      const first = (await client.get('/v1/phone-numbers?page_size=1')).body;
      const next = (await client.get(`/v1/phone-numbers?page_size=1&cursor=${first.meta.cursor}`)).body;
      return [first.data[0].phone_number, next.data[0].phone_number];
    },
    usual: [FROM, '+14155550191'],
    other: ['+14155550193', '+14155550192'],
  },
  {
    name: 'job_concurrency',
    value: 2,
    async act(client) {
      const [agent_id] = await agentsOf(client);
      return (await client.post('/v1/jobs', { agent_id, to_numbers: ['+12125550101'] })).body.data.concurrency;
    },
    usual: 5,
    other: 2,
  },
  {
    name: 'job_attempts',
    value: 1,
    async act(client) {
      const [agent_id] = await agentsOf(client);
      await client.post('/v1/jobs', { agent_id, to_numbers: ['+12125550133'] });
      await advance(client, '90s');
      return (await eventsOf(client, 'workflow_contact_completed')).length;
    },
    usual: 0,
    other: 1,
  },
  {
    name: 'job_cancellation',
    value: 'hangup',
    async act(client) {
      const [agent_id] = await agentsOf(client);
      const { id } = (await client.post('/v1/jobs', { agent_id, to_numbers: ['+12125550108'] })).body.data;
      await advance(client, '10s');
      const { progress } = (await client.post(`/v1/jobs/${id}/cancel`)).body.data;
      return [progress.in_progress, progress.completed];
    },
    usual: [1, 0],
    other: [0, 1],
  },
  {
    name: 'usage_minutes',
    value: 'total',
    async act(client) {
      const before = (await client.get('/v1/usage')).body.data.minutes_used;
      for (const talk of ['30s', '30s', '30s', '30s']) {
        await client.call('+12125550100', playing(`answered;talk=${talk}`));
        await advance(client, '1m');
      }
      return (await client.get('/v1/usage')).body.data.minutes_used - before;
    },
    usual: 4,
    other: 2,
  },
];

describeCases('calls, their events and lists', callCases);
