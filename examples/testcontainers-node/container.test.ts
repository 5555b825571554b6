import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { destinationFor, type EventPayload } from 'ringback';
import { GenericContainer, type StartedTestContainer, TestContainers, Wait } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PORT = 4747;
const image = process.env.RINGBACK_IMAGE_NAME ?? 'ringback';
const hasDocker = spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
if (!hasDocker) console.info('skipped: there is no Docker engine');

describe.skipIf(!hasDocker)('a backend against a container', () => {
  let container: StartedTestContainer;
  let url: string;
  const received: EventPayload<'call_busy'>[] = [];
  const receiver = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk) => {
      body += chunk;
    });
    req.on('end', () => {
      received.push(JSON.parse(body));
      res.end();
    });
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, resolve));
    await TestContainers.exposeHostPorts((receiver.address() as AddressInfo).port);
    container = await new GenericContainer(image)
      .withExposedPorts(PORT)
      .withEnvironment({ RINGBACK_CLOCK: 'manual' })
      .withWaitStrategy(Wait.forHttp('/_sandbox/ready', PORT))
      .start();
    url = `http://${container.getHost()}:${container.getMappedPort(PORT)}`;
  }, 120_000);
  afterAll(async () => {
    await container?.stop();
    receiver.close();
  });

  async function post(path: string, body: object) {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { Authorization: 'Bearer svc_test_container', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.ok, await response.clone().text()).toBe(true);
    return response.json();
  }

  it('hears of a busy line', async () => {
    const { port } = receiver.address() as AddressInfo;
    await post('/api/v1/webhook_subscriptions', {
      webhook_url: `http://host.testcontainers.internal:${port}/`,
      event_type: 'call_busy',
    });
    await post('/v1/calls/dial', { from_number: '+14155550190', to_number: destinationFor('busy') });
    // Answers when the webhook has been attempted.
    await post('/_sandbox/clock/advance', { by: '10s' });
    expect(received).toMatchObject([{ status: 'BUSY' }]);
  });
});
