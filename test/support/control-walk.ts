// Asks every route of the control API for each of its successes. The answers are the examples of the API's document, so
// the sandbox must be a new one on a manual clock.
import { expect } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { type Answer, clientOf, NOWHERE } from './client.ts';
import { controlOperation } from './control-contract.ts';
import { startReceiver } from './receiver.ts';

/** How many values a body has that are not empty. */
function fieldsIn(body: unknown): number {
  if (Buffer.isBuffer(body) || typeof body !== 'object' || body === null) return body === null ? 0 : 1;
  return Object.values(body).reduce<number>((sum, value) => sum + fieldsIn(value), 0);
}

/** An answer of each operation with each status, by both: `putScenario 201`. The one that shows most, a page of one entry. */
export async function walkControl(sandbox: Sandbox): Promise<ReadonlyMap<string, Answer>> {
  const client = clientOf(sandbox.url);
  const answered = new Map<string, Answer>();
  function note(method: string, path: string, answer: Answer): void {
    const name = `${controlOperation(method, `/_sandbox${path}`)?.operationId} ${answer.status}`;
    const before = answered.get(name);
    if (before === undefined || fieldsIn(before.body) < fieldsIn(answer.body)) answered.set(name, answer);
  }
  async function ask(method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object, by = client) {
    const answer = await (body ? by[method](`/_sandbox${path}`, body as never) : by[method](`/_sandbox${path}`));
    expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300);
    const isPage = method === 'get' && answer.body?.meta && !path.includes('page_size');
    const shorter = isPage ? await by.get(`/_sandbox${path}${path.includes('?') ? '&' : '?'}page_size=1`) : answer;
    // Some lists have one page.
    note(method, path, shorter.status < 300 ? shorter : answer);
    return answer.body?.data;
  }

  for (const path of [
    '/health',
    '/metrics',
    '/ready',
    '/clock',
    '/clock/next',
    '/catalog',
    '/assumptions',
    '/openapi.json',
    '/schemas/scenario.schema.json',
    '/worlds',
    '/coverage?min=1',
  ]) {
    await ask('get', path);
  }
  await ask('put', '/clock', { mode: 'manual' });
  await ask('get', '/calling-rules');
  await ask('put', '/calling-rules', {});
  await ask('put', '/assumptions/concurrent_calls', { value: 50 });

  const scenario = { kind: 'call', summary: 'Busy.', extends: 'busy' };
  await ask('put', '/scenarios/mine', scenario);
  await ask('put', '/scenarios/mine', scenario);
  await ask('get', '/scenarios/mine');
  await ask('post', '/scenarios/mine/check', { ...scenario, extends: 'bussy' });
  await ask('get', '/scenarios?page_size=1000');
  await ask('delete', '/scenarios/mine');
  await ask('put', '/active-scenarios/call', { use: 'busy' });
  await ask('put', '/active-scenarios/call', { use: ['answered', 'busy'] });
  await ask('get', '/active-scenarios/call');
  await ask('delete', '/active-scenarios/call');
  await ask('get', '/active-scenarios/call');

  const { id: fault } = await ask('put', '/faults', { respond: { status: 502, body: { a: 1 } }, skip: 1000 });
  await ask('get', '/faults');
  await ask('delete', `/faults/${fault}`);
  await ask('put', '/faults', { faults: [{ error: 'internal_error', skip: 1000 }] });
  await ask('delete', '/faults');

  const receiver = await startReceiver({ checks: false });
  const subscribed = await client.post('/api/v1/webhook_subscriptions', {
    webhook_url: receiver.url,
    event_type: 'call_busy',
  });
  await ask('get', `/webhook-subscriptions/${subscribed.body.id}`);
  await ask('put', `/webhook-subscriptions/${subscribed.body.id}`, { signing_secret: null });
  await ask('put', `/webhook-subscriptions/${subscribed.body.id}`, { plan: { drop: 0, timeout: { answer: '9s' } } });
  await ask('post', '/webhook-subscriptions', { webhook_url: receiver.url, event_types: ['sms_sent'] });
  await ask('get', '/webhook-subscriptions');
  await ask('get', '/webhook-plan');
  await ask('put', '/webhook-plan', { retries: ['1s', '5m'], delay: '0s..1ms', paused: false });
  await ask('delete', '/webhook-plan');
  await ask('put', '/clock/tick', { every: '1s', url: receiver.url });
  await sandbox.clock.advance('1s');
  await ask('get', '/clock');
  await ask('get', '/clock/tick');
  await ask('get', '/clock/ticks');
  await ask('delete', '/clock/tick');
  const dialed = await client.call('+12125550100');
  await ask('get', '/calls');
  await ask('get', `/calls/${dialed}`);
  await ask('get', `/calls/${dialed}/timeline`);
  const { recording_url } = await client.readCall(dialed).then(async ({ id }: { id: string }) => {
    await sandbox.clock.untilIdle();
    return client.readCall(id);
  });
  const recording = new URL(recording_url).pathname;
  await ask('get', recording.replace('/_sandbox', ''));
  for (const Range of ['bytes=0-9', 'bytes=999999999-']) {
    note('get', recording.replace('/_sandbox', ''), await client.get(recording, { Range }));
  }
  await client.get(`/v1/calls/${NOWHERE}`);
  await client.dial('+12125550101');
  await ask('post', '/clock/advance', { by: '10s' });
  const [request] = await ask('get', '/requests');
  await ask('get', `/timeline?subject_id=${request.id}`);
  await ask('get', `/requests/${request.id}`);
  await ask('post', '/requests/verify', { match: { operation: 'dialCall' } });
  const failed = await client.post('/_sandbox/requests/verify', { match: {}, exactly: 0 });
  note('post', '/requests/verify', failed);
  await ask('get', '/wait?event_type=call_busy');
  await ask('post', '/events', { event_type: 'call_busy' });
  await ask('get', '/events');
  await sandbox.clock.untilIdle();
  receiver.onDelivery = (_, res) => res.writeHead(500).end();
  const [delivery] = await ask('get', '/deliveries');
  await ask('post', `/deliveries/${delivery.id}/redeliver`);
  await sandbox.clock.untilIdle();
  await ask('get', `/deliveries/${delivery.id}`);
  await receiver.close();
  await ask('put', '/inbox/mine', { respond: [500], delay: '0s' });
  await fetch(`${sandbox.url}/_sandbox/inbox/mine`, { method: 'POST' });
  await ask('post', '/inbox/mine', { any: 'thing' });
  await ask('get', '/inbox/mine/messages');

  await ask('post', '/snapshots', { name: 'before' });
  await ask('get', '/snapshots');
  await ask('get', '/snapshots/before');
  await ask('post', '/snapshots/before/restore');
  await ask('delete', '/snapshots/before');

  const inbound = await ask('post', '/simulate/inbound-sms');
  await ask('post', '/simulate/inbound-sms', { in_reply_to: inbound.id });
  await ask('get', '/messages');
  const ringing = await ask('post', '/simulate/inbound-call', { scenario: 'rings_on_screen' });
  await sandbox.clock.advance('1s');
  await ask('post', `/calls/${ringing.id}/decision`, { choose: 'answer' });
  for (const what of ['inbound-call', 'new-contact', 'new-appointment']) await ask('post', `/simulate/${what}`);
  const callerId = await client.post('/v1/caller-ids', { phone_number: '+12125550147' });
  await ask('get', `/caller-ids/${callerId.body.data.caller_id_id}/verification-code`);
  const [source] = await ask('get', '/lead-sources');
  await ask('post', `/lead-sources/${source.id}/rotate`);
  await ask('get', '/lead-sources');
  await ask('get', '/documents/doc_business_licence/content');

  const { id } = await ask('post', '/keys', { is_demo: true });
  await ask('get', '/keys');
  await ask('delete', `/keys/${id}`);
  const { api_key } = await ask('post', '/worlds', { name: 'walked', clock: 'instant' });
  await ask('delete', '/worlds/walked', undefined, clientOf(sandbox.url, api_key));
  await ask('post', '/reset');
  return answered;
}
