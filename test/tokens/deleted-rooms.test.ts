// Messages that a room has not served when its world is deleted: nothing has gone wrong.
import { expect, it } from 'vitest';
import { readOptions } from '../../src/config.ts';
import { createLog } from '../../src/pino-log.ts';
import { openSandbox } from '../../src/sandbox.ts';
import { clientOf } from '../support/client.ts';
import { joined } from '../support/rooms.ts';
import { joinUrl } from './setup.ts';

/** As many as may wait for the agent. */
const MESSAGES = 16;

it('a room whose world is deleted while browsers speak in it logs no error', async () => {
  const lines: string[] = [];
  const log = await createLog('error', null, (line, done) => {
    lines.push(line);
    done(0);
  });
  const { url, close } = await openSandbox(readOptions({ port: 0, clock: 'manual' }), log);
  for (let time = 0; time < 3; time++) {
    const by = clientOf(url, 'svc_test_goes');
    const [{ id }] = (await by.get('/v1/agents')).body.data;
    const session = (await by.post(`/v1/agents/${id}/web-call`)).body.data;
    const browser = await joined(joinUrl(session));
    for (let n = 0; n < MESSAGES; n++) browser.send(JSON.stringify({ type: 'say', text: `hello ${n}` }));
    expect((await by.delete('/_sandbox/worlds/goes')).status).toBe(204);
    expect(await browser.closed).toBe(4404);
  }
  await close(100);
  expect(lines).toEqual([]);
});
