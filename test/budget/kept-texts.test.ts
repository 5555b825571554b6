// What records keep of long texts that clients send: no more than the part that is theirs. Each case sends some megabytes
// beside what is kept.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { bytesInUse } from '../support/bytes-in-use.ts';
import { type Client, clientOf, playing } from '../support/client.ts';
import { joined } from '../support/rooms.ts';
import { eventually } from '../support/until.ts';

const KB = 1024;
/** How often a header of 7 KB is sent. */
const TIMES = 1000;
/** Less than these headers have, and more than what is kept beside. */
const LITTLE = 4500 * KB;

let sandbox: Sandbox;
let client: Client;
beforeEach(async () => {
  // Of the journals, which keep headers too, one entry at most.
  sandbox = await createSandbox({
    rateLimit: 'off',
    concurrentCalls: 'off',
    clock: 'manual',
    journalLimit: 1,
    maxWorlds: 20,
  });
  client = clientOf(sandbox.url);
});
afterEach(() => sandbox.close());

/** What is loaded and compiled at first. */
const FIRST = 50;

/** How much more is in use after something was done so often. */
async function growth(times: number, act: (n: number) => Promise<unknown>): Promise<number> {
  for (let n = 0; n < FIRST; n++) await act(n);
  const before = bytesInUse();
  for (let n = 0; n < times; n++) await act(FIRST + n);
  return bytesInUse() - before;
}

const unlike = (n: number): string => String(n).padStart(12, '0');

describe('a record keeps no more of a long text than its own part', () => {
  it('as a parameter of a scenario in a header', async () => {
    // An ended call takes little.
    await client.put('/_sandbox/clock', { mode: 'instant' });
    const dial = (n: number) => {
      const scenario = `busy;${' '.repeat(7 * KB)}ring=2.${unlike(n)}s`;
      return client.call('+12125550199', playing(scenario));
    };
    expect(await growth(TIMES, dial)).toBeLessThan(LITTLE);
  });

  it('as the name of a world in a header, whether the world is still there or not', async () => {
    const enter = async (n: number) => {
      const Authorization = `Bearer${' '.repeat(7 * KB)}svc_test_a-world-by-its-name-${n}`;
      expect((await client.get('/v1/me', { Authorization })).status).toBe(200);
    };
    expect(await growth(TIMES, enter)).toBeLessThan(LITTLE);
  });

  it('as a line of a scenario file', async () => {
    const dial = async (n: number) => {
      const file = [
        `# ${unlike(n)}${'x'.repeat(60 * KB)}`,
        'kind: call',
        'summary: Is answered.',
        'timeline: [{ after: 1s, trigger: ring }, { after: 1s, trigger: answer }, { after: 1s, trigger: complete }]',
        `transcript: [{ role: agent, text: This is line ${n} of the call. }]`,
      ].join('\n');
      const put = await client.put('/_sandbox/scenarios/mine', file, { 'Content-Type': 'application/yaml' });
      expect(put.status).toBeLessThan(300);
      await client.call('+12125550199', playing('mine'));
    };
    // Some files are cached.
    expect(await growth(300, dial)).toBeLessThan(10_000 * KB);
  });

  it('as what is said in a room', async () => {
    const [agent] = (await client.get('/v1/agents')).body.data;
    const { room_url, token } = (await client.post(`/v1/agents/${agent.id}/web-call`, {})).body.data;
    const browser = await joined(`${room_url}?access_token=${token}`);
    await browser.waitFor('turn');
    const say = async (n: number) => {
      browser.send(JSON.stringify({ type: 'say', text: `${' '.repeat(60 * KB)}These are words ${n}.` }));
      await eventually(() => expect(JSON.stringify(browser.messages)).toContain(`These are words ${n}.`), 1);
    };
    expect(await growth(150, say)).toBeLessThan(LITTLE);
    browser.leave();
  });
});

describe('a journal', () => {
  it('keeps no headers of requests that it has dropped', async () => {
    const paths = ['me', 'calls', 'agents', 'contacts', 'sms', 'jobs', 'usage', 'caller-ids', 'brand', 'sub-entities'];
    const readAll = async (headers: Record<string, string>): Promise<void> => {
      for (let world = 0; world < 20; world++) {
        const other = clientOf(sandbox.url, `svc_test_w${world}`);
        for (const path of paths) await other.get(`/v1/${path}`, headers);
      }
    };
    // What is loaded at first, and what the test keeps by itself, is there after two.
    for (let n = 0; n < 2; n++) await readAll({});
    const before = bytesInUse();
    await readAll({ 'X-Long': 'some words '.repeat(600) });
    // One header of each world, and not ten; other work of the process takes some too.
    expect(bytesInUse() - before).toBeLessThan(20 * 5 * 7 * KB);
  });
});
