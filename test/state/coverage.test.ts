// Coverage over a restart: `interface.md` sections 1 and 5.
import { expect, it } from 'vitest';
import { type Client, clientOf } from '../support/client.ts';
import { useRestarts } from './setup.ts';

const { startServer } = useRestarts();

const requestsIn = async (client: Client, worlds: string): Promise<number> =>
  (await client.get(`/_sandbox/coverage?worlds=${worlds}`)).body.data.requests;

it('a restart keeps what worlds have met, whether it keeps the worlds or not', async () => {
  const server = await startServer();
  await server.client.get('/v1/me');
  await server.clientWith('svc_test_auto').get('/v1/me');
  await server.clientWith('svc_test_gone').get('/v1/me');
  await server.clientWith('svc_test_gone').delete('/_sandbox/worlds/gone');
  await server.client.post('/_sandbox/worlds', { name: 'posted' });
  await server.clientWith('svc_test_posted').get('/v1/me');
  await server.client.post('/_sandbox/reset');
  for (let start = 0; start < 2; start++) {
    await server.restart();
    expect(await requestsIn(server.client, 'default')).toBe(1 + start);
    expect(await requestsIn(server.client, 'auto')).toBe(1);
    expect(await requestsIn(server.client, 'gone')).toBe(1);
    expect(await requestsIn(server.client, 'posted')).toBe(1);
    await server.client.get('/v1/me');
  }
  await clientOf(server.sandbox.url, 'svc_test_auto').get('/v1/me');
  expect(await requestsIn(server.client, 'auto')).toBe(2);
});
