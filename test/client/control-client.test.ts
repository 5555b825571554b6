// The client of the control API and that of the platform's API, over HTTP.
import { describe, expect, it } from 'vitest';
import { createControlClient } from '../../src/client/control-client.ts';
import { createPlatformClient } from '../../src/client/platform-client.ts';
import { SandboxError } from '../../src/client/sandbox-error.ts';
import { createSandbox, destinationFor } from '../../src/index.ts';
import { useReceivers } from '../support/receiver.ts';
import { useSandbox } from '../support/sandbox.ts';

const { sandbox } = useSandbox({ clock: 'manual' });

const clientOf = (world: string) => createControlClient({ url: sandbox.url, world });
const dialIn = (world: string) =>
  createPlatformClient({ url: sandbox.url, key: `svc_test_${world}` }).call('dialCall', {
    body: { from_number: '+14155550190', to_number: destinationFor('busy') },
  });

/** The error with which a promise rejects. */
const errorOf = (promise: Promise<unknown>): Promise<SandboxError> =>
  promise.then(
    () => expect.unreachable('it was not refused'),
    (error) => {
      expect(error).toBeInstanceOf(SandboxError);
      return error;
    },
  );

describe('the client of the control API', () => {
  it('calls operations by id, and unwraps what they answer', async () => {
    const control = clientOf('by-id');
    const { call_id } = await dialIn('by-id');
    const { complete, steps } = await control.call('advanceClock', { body: { until: 'idle' } });
    expect(complete).toBe(true);
    expect(steps.map((step) => step.to)).toEqual(['BUSY']);
    const { status } = await control.call('getCallTimeline', { path: { id: call_id } });
    expect(status).toBe('BUSY');
  });

  it('speaks of the world that it was made for, and of others by forWorld', async () => {
    await dialIn('one');
    expect(await clientOf('one').all('listRequests')).toHaveLength(1);
    expect(await clientOf('other').all('listRequests')).toEqual([]);
    expect(await clientOf('other').forWorld('one').all('listRequests')).toHaveLength(1);
    const byKey = createControlClient({ url: `${sandbox.url}/`, key: 'svc_test_one' });
    expect(await byKey.all('listRequests')).toHaveLength(1);
  });

  it('speaks of default without a key and a world', async () => {
    const control = createControlClient({ url: sandbox.url });
    await control.call('setFaults', { body: { operation: 'listCalls', error: 'rate_limited' } });
    expect(await sandbox.requests()).toEqual([]);
    expect((await createControlClient({ url: sandbox.url, world: 'default' }).call('listFaults')).length).toBe(1);
    await control.call('clearFaults');
  });

  it('follows cursors over all pages, in the order of the server', async () => {
    const control = clientOf('paging');
    for (const name of ['A', 'B', 'C', 'D', 'E']) {
      await control.call('simulateNewContact', { body: { name: name } });
    }
    const query = { event_type: 'contact_created', page_size: 2 } as const;
    const { data, meta } = await control.page('listEvents', { query });
    expect(data).toHaveLength(2);
    expect(meta).toMatchObject({ total_results: 5, cursor: expect.any(String) });
    const events = await control.all('listEvents', { query });
    expect(events.map(({ payload }) => payload.name)).toEqual(['E', 'D', 'C', 'B', 'A']);
  });

  it('leaves out fields of a query that are undefined', async () => {
    const query = { event_type: undefined, subject_id: undefined };
    await expect(clientOf('paging').all('listEvents', { query })).resolves.toBeInstanceOf(Array);
  });

  it('reads other forms as text', async () => {
    const { call_id } = await dialIn('forms');
    const query = { subject_id: call_id, format: 'mermaid' } as const;
    expect(await clientOf('forms').text('getTimeline', { query })).toMatch(/^sequenceDiagram/);
  });

  it('sends text as YAML', async () => {
    const body = 'kind: call\nsummary: Mine.\ntimeline:\n  - after: 1s\n    trigger: busy\n';
    const { name } = await clientOf('yaml').call('putScenario', { path: { name: 'mine' }, body });
    expect(name).toBe('mine');
  });

  it('resolves to nothing where there is no answer, and to a result that tells of a failure', async () => {
    const control = clientOf('results');
    expect(await control.call('resetWorld')).toBeUndefined();
    const { passed, actual } = await control.call('verifyRequests', {
      body: { match: { operation: 'dialCall' }, exactly: 1 },
    });
    expect([passed, actual]).toEqual([false, 0]);
  });

  it('rejects with what the server says: code, status, hint and fields', async () => {
    const control = clientOf('errors');
    const malformed = await errorOf(control.call('advanceClock', { body: { by: 'an hour' } }));
    expect(malformed).toMatchObject({ code: 'validation_error', status: 400, name: 'SandboxError' });
    expect(malformed.fields).toHaveProperty('by', expect.stringContaining('must be'));
    expect(malformed.message).toContain('by must be');
    const unknown = await errorOf(control.call('getScenario', { path: { name: 'bussy' } }));
    expect(unknown).toMatchObject({ code: 'not_found', status: 404, fields: {} });
    expect(unknown.message).toBe(`${unknown.reason} ${unknown.hint}`);
  });

  it('encodes what a path is filled with, and refuses to leave a part of it out', async () => {
    const control = clientOf('paths');
    const { code } = await errorOf(control.call('getScenario', { path: { name: 'a/../b?c' } }));
    expect(code).toBe('not_found');
    await expect(control.call('getScenario', { path: { name: '' } })).rejects.toThrow('needs a value for name');
  });

  it('rejects with the reason of a signal that is aborted', async () => {
    const waiting = new AbortController();
    const wait = clientOf('aborted').call('waitForEvent', {
      query: { event_type: 'call_busy' },
      signal: waiting.signal,
    });
    waiting.abort(new Error('enough'));
    await expect(wait).rejects.toThrow('enough');
  });

  it('refuses addresses and credentials that cannot be meant', () => {
    expect(() => createControlClient({ url: 'localhost:4747' })).toThrow('"localhost:4747" is not the address');
    expect(() => createControlClient({ url: sandbox.url, token: 't', key: 'k' })).toThrow('exclude each other');
    expect(() => createControlClient({ url: sandbox.url, key: 'k', world: 'w' })).toThrow('names its own world');
  });
});

describe('the client of the control API, with a control token', () => {
  it('names the world in a header, and takes the control key of a world', async () => {
    const guarded = await createSandbox({ clock: 'manual', controlToken: 'a-token-of-some-length' });
    const control = createControlClient({ url: guarded.url, token: 'a-token-of-some-length' });
    const { control_key } = await control.call('createWorld', { body: { name: 'ci-1' } });
    await control.forWorld('ci-1').call('simulateInboundSms', { body: { body: 'hello' } });
    expect(await control.all('listEvents', { query: { event_type: 'contact_replied' } })).toEqual([]);
    const own = createControlClient({ url: guarded.url, key: control_key });
    expect(await own.all('listEvents', { query: { event_type: 'contact_replied' } })).toHaveLength(1);
    expect(await errorOf(control.forWorld('ci-2').call('getClock'))).toMatchObject({ status: 404 });
    expect(await errorOf(createControlClient({ url: guarded.url }).call('getClock'))).toMatchObject({
      code: 'unauthorized',
      status: 401,
    });
    await guarded.close();
  });
});

describe('a server that is not there', () => {
  const newServer = useReceivers({ checks: false });

  it('is told in one line', async () => {
    const server = await newServer();
    server.onDelivery = ({ path }, res) =>
      path.startsWith('/_sandbox/clock')
        ? res.destroy()
        : res.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>');
    const { url } = server;
    const control = createControlClient({ url });
    expect(await errorOf(control.call('getClock'))).toMatchObject({
      code: 'unreachable',
      status: null,
      message: `cannot reach ${url} (GET /_sandbox/clock): the connection broke before the answer was there; has the server stopped? (ECONNRESET)`,
    });
    expect(await errorOf(control.call('listFaults'))).toMatchObject({
      code: 'unexpected_answer',
      status: 404,
      message: `GET ${url}/_sandbox/faults was answered with 404 (text/html), which is not the answer of a Ringback server`,
    });
    await server.close();
    expect((await errorOf(createControlClient({ url }).call('getClock'))).message).toBe(
      `cannot reach ${url} (GET /_sandbox/clock): nothing listens there; is the server running? (ECONNREFUSED)`,
    );
  });
});

describe("the client of the platform's API", () => {
  it('calls operations by id, and rejects with the id of the request', async () => {
    const platform = createPlatformClient({ url: sandbox.url, key: 'svc_test_platform' });
    const body = { from_number: '+14155550190', to_number: destinationFor('busy') };
    const { call_id } = await platform.call('dialCall', { body, headers: { 'X-Sandbox-Scenario': 'answered' } });
    expect((await platform.all('listCalls')).map(({ id }) => id)).toContain(call_id);
    const refused = await errorOf(platform.call('getCall', { path: { id: 'nobody' } }));
    expect(refused).toMatchObject({ status: 404, requestId: expect.stringMatching(/^req_/) });
  });
});
