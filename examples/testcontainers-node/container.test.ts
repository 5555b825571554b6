import { spawnSync } from 'node:child_process';
import { connectSandbox, createReceiver, destinationFor, type Receiver, type Sandbox } from 'ringback';
import { GenericContainer, type StartedTestContainer, TestContainers, Wait } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PORT = 4747;
const image = process.env.RINGBACK_IMAGE_NAME ?? 'ringback';
const hasDocker = spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
if (!hasDocker) console.info('skipped: there is no Docker engine');

describe.skipIf(!hasDocker)('a backend against a container', () => {
  let container: StartedTestContainer;
  let receiver: Receiver;
  let sandbox: Sandbox;

  beforeAll(async () => {
    receiver = await createReceiver();
    await TestContainers.exposeHostPorts(Number(new URL(receiver.url).port));
    container = await new GenericContainer(image)
      .withExposedPorts(PORT)
      .withEnvironment({ RINGBACK_CLOCK: 'manual' })
      .withWaitStrategy(Wait.forHttp('/_sandbox/ready', PORT))
      .start();
    const url = `http://${container.getHost()}:${container.getMappedPort(PORT)}`;
    sandbox = connectSandbox(url, { key: 'svc_test_container' });
  }, 120_000);
  afterAll(async () => {
    await sandbox?.close();
    await container?.stop();
    await receiver?.close();
  });

  it('hears of a busy line', async () => {
    // The name by which a container reaches the ports that were exposed to it.
    const webhook = receiver.url.replace('127.0.0.1', 'host.testcontainers.internal');
    await sandbox.subscribe(webhook, ['call_busy']);

    await fetch(`${sandbox.url}/v1/calls/dial`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ from_number: '+14155550190', to_number: destinationFor('busy') }),
    });
    // Returns when the webhook has been attempted.
    await sandbox.clock.advance('10s');
    expect((await receiver.next()).body).toMatchObject({ status: 'BUSY' });
  });
});
