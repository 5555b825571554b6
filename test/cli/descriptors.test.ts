// A server that may open no more files, which connections, deliveries, `--state`, `--scenarios` and packages need.
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryFolders } from '../support/folders.ts';
import { programs } from '../support/program.ts';
import { useReceivers } from '../support/receiver.ts';
import { thorough } from '../support/thorough.ts';
import { eventually, stretched } from '../support/until.ts';
import { JSON_TYPE, wireTo } from '../support/wire.ts';

const folderOf = temporaryFolders();
const openReceiver = useReceivers();
const { serveWithFiles } = programs();

/** On a signal, the process opens files until it may open no more; on the next, it closes them. */
const HOLD = `
  import { closeSync, openSync } from 'node:fs';
  const held = [];
  const hold = () => { try { for (;;) held.push(openSync('/dev/null')); } catch {} };
  let timer;
  process.on('SIGUSR2', () => {
    if (timer === undefined) {
      timer = setInterval(hold, 1);
      hold();
      process.stdout.write('held\\n');
    } else {
      clearInterval(timer);
      held.splice(0).forEach((each) => closeSync(each));
    }
  });`;

it.runIf(thorough).each([
  ['for a moment', 1200],
  ['for long', 5000],
] as const)('a server that may open no more files %s serves those who are connected, and recovers', async (_, ms) => {
  const folder = folderOf({ 'scenarios/own.yaml': 'kind: call\nsummary: Our own.\nextends: busy\n' });
  const [state, scenarios] = [join(folder, 'state.json'), join(folder, 'scenarios')];
  const hold = `data:text/javascript,${encodeURIComponent(HOLD)}`;
  const server = await serveWithFiles(
    200,
    ['--state', state, '--scenarios', scenarios, '--clock', 'manual', '--rate-limit', 'off'],
    {
      NODE_OPTIONS: `--import=${hold}`,
    },
  );
  const wire = wireTo(server.url, new Agent({ keepAlive: true, maxSockets: 1 }));
  const post = async (path: string, body: object) =>
    wire.send({ method: 'POST', path, headers: JSON_TYPE, body: JSON.stringify(body) });
  const receiver = await openReceiver();
  await post('/api/v1/webhook_subscriptions', { webhook_url: receiver.url, event_type: 'new_call' });

  server.signal('SIGUSR2');
  await eventually(() => expect(server.stdout()).toContain('held'), 1);
  const dialed = await post('/v1/calls/dial', { from_number: '+14155550190', to_number: '+12125550101' });
  expect(dialed.status).toBe(202);
  // What is not loaded yet cannot be.
  expect([201, 500]).toContain((await post('/v1/client-tokens', {})).status);
  const stranger = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {});
  await sleep(ms);
  expect((await wire.send({ path: '/v1/me' })).status).toBe(200);
  server.signal('SIGUSR2');
  stranger.destroy();

  await eventually(async () => expect((await post('/v1/client-tokens', {})).status).toBe(201));
  const { body } = await wire.send({ path: `/v1/calls/${dialed.body.call_id}` });
  expect(body.data.status).toBe('QUEUED');
  await eventually(async () => {
    const [delivery] = (await wire.send({ path: '/_sandbox/deliveries' })).body.data;
    expect(delivery.attempts).toHaveLength(1);
    // A connection is tried again for 3 seconds, which may be over on a machine that is busy.
    const { error_class, error } = delivery.attempts[0];
    if (error_class === null) expect(ms).toBeLessThan(stretched(3000));
    else expect([error_class, error]).toEqual(['other', expect.stringContaining('EMFILE')]);
  });
  await eventually(() => expect(readFileSync(state, 'utf8')).toContain(dialed.body.call_id));
  writeFileSync(join(scenarios, 'own.yaml'), 'kind: call\nsummary: Edited.\nextends: busy\n');
  await eventually(async () => {
    expect((await wire.send({ path: '/_sandbox/scenarios/own' })).body.data.summary).toBe('Edited.');
  });
  wire.close();
  const { code, stderr } = await server.stop();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
