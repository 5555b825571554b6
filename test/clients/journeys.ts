// The main journeys of the Voice Platform API against a sandbox, with a client that is generated from openapi.yaml:
//
//   npx @hey-api/openapi-ts -i openapi.yaml -o test/clients/client
//
// RINGBACK_URL and RINGBACK_KEY say where and as whom; the world of that key is reset first. Its clock stands, so that
// nothing here sleeps: `advance` answers when everything up to then has happened and each webhook has been attempted.
// `test/all/clients.test.ts` generates it in a folder of its own, compiles both under `strict`, and runs them.
import assert from 'node:assert/strict';
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { client } from './client/client.gen.js';
import {
  type CallEvent,
  type Contact,
  createBrand,
  createBrandCampaign,
  createCall,
  createDisplayIdentity,
  createEnterprise,
  createJob,
  createLead,
  createPhoneNumber,
  createWebhookSubscription,
  dialCall,
  type Enterprise,
  getBrand,
  getCall,
  getCallTranscript,
  getDocument,
  getEnterprise,
  getJob,
  getMessage,
  getPhoneNumber,
  listAgents,
  listAvailablePhoneNumbers,
  listBrandCampaigns,
  listCallerIds,
  listDisplayIdentities,
  listMessages,
  type MessageEvent,
  type NumberLifecycleEvent,
  pauseJob,
  resumeJob,
  sendMessage,
  signAndSubmitEnterprise,
  type TextingRegistrationEvent,
  uploadDocument,
  type WorkflowContactEvent,
} from './client/index.js';

const url = process.env.RINGBACK_URL ?? 'http://127.0.0.1:4747';
const key = process.env.RINGBACK_KEY ?? 'svc_test_typescript';
const SIGNING_SECRET = 'sandbox_signing_secret';
/** Owned by every world, verified and approved for texting. */
const FROM = '+14155550190';

// --- the platform

client.setConfig({ baseUrl: url, auth: key });

/** What an operation answers when it succeeds. */
async function ok<T>(answer: Promise<{ data: T; error: undefined } | { data: undefined; error: unknown }>): Promise<T> {
  const { data, error } = await answer;
  assert.equal(error, undefined, JSON.stringify(error));
  return data as T;
}

/** The control API, which is the sandbox's own and no part of the contract. */
async function control<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${url}/_sandbox${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert(answer.ok, text);
  return JSON.parse(text || '{}').data;
}

const advance = (to: { by: string } | { to: string } | { until: 'idle' }): Promise<unknown> =>
  control('POST', '/clock/advance', to);

// --- the receiver of webhooks

/** What the body of an event is. */
interface Bodies {
  call_busy: CallEvent;
  number_purchased: NumberLifecycleEvent;
  texting_registration_status_changed: TextingRegistrationEvent;
  sms_delivered: MessageEvent;
  contact_replied: MessageEvent;
  'enterprise.status.updated': Enterprise;
  workflow_contact_completed: WorkflowContactEvent;
  contact_created: Contact;
}

const received: { type: string; raw: Buffer; signature: string }[] = [];

const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const signature = String(request.headers['x-service-signature-256']);
  received.push({ type: request.url?.slice(1) ?? '', raw: Buffer.concat(chunks), signature });
  response.end();
});

/** The path of the URL says which event type it is, since the bodies of most do not. */
async function subscribe(...types: (keyof Bodies)[]): Promise<void> {
  const { port } = receiver.address() as AddressInfo;
  for (const event_type of types) {
    const webhook_url = `http://127.0.0.1:${port}/${event_type}`;
    await ok(createWebhookSubscription({ body: { webhook_url, event_type } }));
  }
}

const told = <Type extends keyof Bodies>(type: Type): Bodies[Type][] =>
  received.filter((delivery) => delivery.type === type).map(({ raw }) => JSON.parse(raw.toString()));

function isSigned(raw: Buffer, signature: string): boolean {
  const expected = createHmac('sha256', SIGNING_SECRET).update(raw).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

// --- the journeys

async function calls(): Promise<string> {
  await subscribe('call_busy');
  const { call_id: busy } = await ok(dialCall({ body: { from_number: FROM, to_number: '+12125550101' } }));
  await advance({ by: '10s' });
  assert.deepEqual(
    told('call_busy').map(({ id, failure_code }) => ({ id, failure_code })),
    [{ id: busy, failure_code: 'busy' }],
  );
  const { data: ended } = await ok(getCall({ path: { id: busy } }));
  assert.equal(ended.status, 'BUSY');
  assert.equal(ended.failure_code, 'busy');

  const { call_id: answered } = await ok(dialCall({ body: { from_number: FROM, to_number: '+12125550100' } }));
  await advance({ until: 'idle' });
  const { data: call } = await ok(getCall({ path: { id: answered } }));
  assert.equal(call.status, 'COMPLETED');
  assert.equal(call.call_outcome, 'answered');
  const { data: transcript } = await ok(getCallTranscript({ path: { id: answered } }));
  assert.deepEqual(new Set(transcript.structured_transcript.map(({ role }) => role)), new Set(['agent', 'user']));
  assert(call.recording_url);
  const recording = Buffer.from(await (await fetch(call.recording_url)).arrayBuffer());
  assert.equal(recording.toString('latin1', 0, 4), 'RIFF');
  return 'one busy, as the webhook told; one answered, with transcript and recording';
}

async function texting(): Promise<string> {
  await subscribe('number_purchased', 'texting_registration_status_changed', 'sms_delivered', 'contact_replied');
  const { data: offers } = await ok(listAvailablePhoneNumbers({ query: { area_code: '212' } }));
  const phone_number = offers[0]?.phone_number;
  assert(phone_number);
  const { data: number } = await ok(createPhoneNumber({ body: { phone_number, name: 'New York' } }));
  assert.equal(number.is_active, false);
  await advance({ by: '8s' });
  const { data: provisioned } = await ok(getPhoneNumber({ path: { id: String(number.id) } }));
  assert.equal(provisioned.is_active, true);
  const purchased = received.find(({ type }) => type === 'number_purchased');
  assert(purchased && isSigned(purchased.raw, purchased.signature));
  assert(!isSigned(Buffer.concat([purchased.raw, Buffer.from(' ')]), purchased.signature));
  assert.deepEqual(
    told('number_purchased').map(({ payload }) => payload.phone_number),
    [phone_number],
  );

  await ok(createBrand({ body: { legal_name: 'Harbor Street Dental, Inc.', ein: '12-3456789' } }));
  await advance({ by: '60s' });
  assert.equal((await ok(getBrand())).data.status, 'approved');
  await ok(createBrandCampaign({ body: { use_case: 'customer_care', phone_numbers: [phone_number] } }));
  await advance({ by: '60s' });
  assert.equal((await ok(listBrandCampaigns())).data[0]?.status, 'approved');
  assert.deepEqual(told('texting_registration_status_changed').at(-1)?.texting_enabled_numbers, [phone_number]);

  const { data: message } = await ok(
    sendMessage({
      body: { from_number: phone_number, to_number: '+12125550147', body: 'Your appointment is tomorrow at ten.' },
      headers: { 'X-Sandbox-Scenario': 'sms_reply;text=See you then.' },
    }),
  );
  await advance({ until: 'idle' });
  assert.equal((await ok(getMessage({ path: { id: message.id } }))).data.status, 'delivered');
  assert.deepEqual(
    told('sms_delivered').map(({ id }) => id),
    [message.id],
  );
  const [reply] = (await ok(listMessages())).data;
  assert(reply);
  assert.equal(reply.direction, 'inbound');
  assert.equal(reply.body, 'See you then.');
  assert.deepEqual(
    told('contact_replied').map(({ id }) => id),
    [reply.id],
  );
  return 'number bought, as a signed webhook told; registered; message delivered and answered';
}

/** A BMP as a logo has to be: 256 by 256 pixels, one bit each; the file's header, the image's, two colours, the rows. */
function blackSquare(): Buffer {
  const start = 14 + 40 + 8;
  const pixels = (256 * 256) / 8;
  const file = Buffer.alloc(start + pixels);
  file.write('BM');
  for (const [at, value] of [
    [2, file.length],
    [10, start],
    [14, 40],
    [18, 256],
    [22, 256],
    [34, pixels],
    [46, 2],
    [58, 0xffffff],
  ] as const) {
    file.writeUInt32LE(value, at);
  }
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(1, 28);
  return file;
}

async function callerIdentity(): Promise<string> {
  await subscribe('enterprise.status.updated');
  const details = { legal_name: 'Harbor Street Dental, Inc.', ein: '12-3456789' };
  assert.equal((await ok(createEnterprise({ body: details }))).data.status, 'DRAFT');
  const content_base64 = blackSquare().toString('base64');
  const { data: logo } = await ok(
    uploadDocument({ body: { filename: 'logo.bmp', content_type: 'image/bmp', content_base64 } }),
  );
  await advance({ by: '5s' });
  assert.equal((await ok(getDocument({ path: { id: logo.document_id } }))).data.status, 'verified');
  const { data: submitted } = await ok(
    signAndSubmitEnterprise({
      body: {
        signer_full_name: 'Robin Ashdown',
        signer_email: 'robin@harborstreet.example',
        signer_title: 'Owner',
        consent_acknowledged_at: '2026-01-05T14:59:00Z',
        confirm_carrier_commit: 'I understand this submits to the carrier',
      },
    }),
  );
  assert.equal(submitted.status, 'PENDING_VETTING');
  await advance({ by: '40s' });
  assert.equal((await ok(getEnterprise())).data?.status, 'APPROVED');
  assert.equal(told('enterprise.status.updated').at(-1)?.status, 'APPROVED');

  const display_name = 'Harbor Dental';
  const call_reasons = ['Appointment reminder'];
  await ok(createDisplayIdentity({ body: { display_name, call_reasons, logo_document_id: logo.document_id } }));
  await advance({ by: '60s' });
  assert.equal((await ok(listDisplayIdentities())).data[0]?.status, 'approved');
  const callerId = (await ok(listCallerIds())).data.find(({ phone_number }) => phone_number === FROM);
  assert.equal(callerId?.rcd_display_name, display_name);
  assert.equal(callerId.rcd_status, 'approved');
  return 'enterprise signed, submitted and approved; its name shows on the caller ID';
}

async function campaign(): Promise<string> {
  const contact_ids: string[] = [];
  for (const areaCode of [220, 221, 222]) {
    // Answered, busy, no answer, voicemail.
    for (const ending of ['00', '01', '02', '03']) {
      const phone_number = `+1${areaCode}55501${ending}`;
      contact_ids.push((await control<Contact>('POST', '/simulate/new-contact', { phone_number })).id);
    }
  }
  const agent = (await ok(listAgents())).data.at(-1);
  assert(agent);
  await subscribe('workflow_contact_completed');
  const { id } = (await ok(createJob({ body: { agent_id: agent.id, contact_ids, concurrency: 2 } }))).data;
  await advance({ by: '15s' });
  assert.equal((await ok(pauseJob({ path: { id } }))).data.status, 'paused');
  await advance({ by: '1h' });
  const { progress } = (await ok(getJob({ path: { id } }))).data;
  assert.equal(progress.in_progress, 0);
  assert(progress.pending > 0 && progress.pending < contact_ids.length);
  await ok(resumeJob({ path: { id } }));
  await advance({ until: 'idle' });
  const { data: job } = await ok(getJob({ path: { id } }));
  assert.equal(job.status, 'completed');
  const outcomes = Object.entries(job.progress.outcomes).filter(([, count]) => count > 0);
  assert.deepEqual(Object.fromEntries(outcomes), { answered: 3, busy: 3, no_answer: 3, voicemail: 3 });
  const completed = told('workflow_contact_completed').map(({ contact_id }) => contact_id);
  assert.deepEqual(completed.sort(), contact_ids.sort());
  return '12 contacts called, two at a time, paused once';
}

async function lead(): Promise<string> {
  await subscribe('contact_created');
  const [source] = await control<{ url_token: string; source_secret: string }[]>('GET', '/lead-sources');
  assert(source);
  const { data: contact } = await ok(
    createLead({
      path: { url_token: source.url_token },
      auth: source.source_secret,
      body: { name: 'Lena Marlowe', phone_number: '+14155550179', metadata: { page: '/book' } },
    }),
  );
  await advance({ by: '0s' });
  assert.deepEqual(told('contact_created').at(-1), contact);
  const agent = (await ok(listAgents())).data.at(-1);
  assert(agent?.greeting && contact.phone_number);
  const { call_id: id } = await ok(createCall({ body: { agent_id: agent.id, to_number: contact.phone_number } }));
  await advance({ until: 'idle' });
  assert.equal((await ok(getCall({ path: { id } }))).data.status, 'COMPLETED');
  const { data: spoken } = await ok(getCallTranscript({ path: { id } }));
  assert(spoken.transcript?.includes(agent.greeting));
  return 'it became a contact, and the agent called';
}

async function errors(): Promise<string> {
  // @ts-expect-error: the body of the message is missing.
  const bad = await sendMessage({ body: { to_number: 'call me' } });
  assert.equal(bad.response?.status, 400);
  assert.equal(bad.error?.error.code, 'validation_error');
  assert.deepEqual(Object.keys(bad.error.error.fields ?? {}).sort(), ['body', 'to_number']);
  const unknown = await getCall({ path: { id: 'nowhere' } });
  assert.equal(unknown.response?.status, 404);
  assert.equal(unknown.error?.error.code, 'not_found');

  const headers = { 'Idempotency-Key': randomUUID() };
  const body = { from_number: FROM, to_number: '+12125550100' };
  const first = await dialCall({ body, headers });
  const second = await dialCall({ body, headers });
  assert.equal(second.response?.status, 202);
  assert.deepEqual(second.data, first.data);
  assert.equal(second.response.headers.get('Idempotency-Replayed'), 'true');
  const conflict = await dialCall({ body: { ...body, to_number: '+12125550101' }, headers });
  assert.equal(conflict.response?.status, 409);
  assert.equal(conflict.error?.error.code, 'idempotency_conflict');
  return '400 with its fields, 404, a replay, and idempotency_conflict';
}

/** What the types refuse, each line by itself; never called. */
export async function doesNotCompile(): Promise<void> {
  // @ts-expect-error: an event type that there is not.
  await createWebhookSubscription({ body: { webhook_url: 'https://hooks.example.com', event_type: 'call_bussy' } });
  // @ts-expect-error: a job without an agent.
  await createJob({ body: { to_numbers: ['+12125550100'] } });
  // @ts-expect-error: a call without saying which.
  await getCall({});
  // @ts-expect-error: a filter that there is not.
  await listAvailablePhoneNumbers({ query: { areaCode: '212' } });
  const { data: call } = await ok(getCall({ path: { id: '' } }));
  // @ts-expect-error: a status that a call never has.
  assert(call.status === 'ANSWERED');
  // @ts-expect-error: null before the call has ended.
  call.ended_at.slice(0, 10);
}

receiver.listen(0, '127.0.0.1', async () => {
  await control('POST', '/reset');
  await control('PUT', '/clock', { mode: 'manual' });
  console.log('calls:', await calls());
  console.log('texting:', await texting());
  console.log('caller identity:', await callerIdentity());
  console.log('campaign:', await campaign());
  console.log('lead:', await lead());
  console.log('errors:', await errors());
  receiver.close();
});
