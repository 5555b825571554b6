// A customer's test suite: many worlds at once, a path for each event type, and a receiver that closes its connections at
// random. `interface.md` section 6: nothing is lost, nothing comes twice, and order is kept per record.
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { clientOf, playing } from '../support/client.ts';
import { useSandbox } from '../support/sandbox.ts';
import { runs, thorough } from '../support/thorough.ts';
import { subscribe } from '../support/webhooks.ts';

const { sandbox } = useSandbox({ clock: 'manual', rateLimit: false, concurrentCalls: 'off' });

const WORLDS = 8;
const CALLS = 5;
const types = ['new_call', 'call_completed', 'call_busy', 'call_no_answer', 'phone_call.ended'];
const ROUNDS = Number(process.env.CUSTOMER_SUITE_ROUNDS ?? runs(1, 5));

interface RandomReceiver {
  readonly url: string;
  readonly arrived: { readonly world: string; readonly type: string; readonly call: string }[];
  close(): void;
}

/** Responds, and closes the connection 1 to 30 ms later, without an announcement. */
async function startRandomReceiver(): Promise<RandomReceiver> {
  const arrived: { world: string; type: string; call: string }[] = [];
  let state = 12345;
  const delay = (): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return 1 + (state % 30);
  };
  const closeSoon = (socket: Socket): void => void setTimeout(() => socket.destroy(), delay());
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    req.on('end', () => {
      const [, world = '', type = ''] = (req.url ?? '').split('/');
      arrived.push({ world, type, call: JSON.parse(body).id });
      res.end('ok');
      closeSoon(req.socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, arrived, close };
}

/** One test of the customer: dials, moves the clock, and waits for nothing else. Returns the calls by outcome event. */
async function customerTest(receiver: RandomReceiver, world: string): Promise<Map<string, string>> {
  const client = clientOf(sandbox.url, `svc_test_${world}`);
  for (const type of types) await subscribe(client, `${receiver.url}/${world}/${type}`, type);
  const calls = new Map<string, string>();
  for (let nth = 0; nth < CALLS; nth++) {
    const [scenario, event] = nth % 2 ? ['no_answer', 'call_no_answer'] : ['busy;ring=1s', 'call_busy'];
    calls.set(await client.call('+12125550142', playing(scenario)), event);
  }
  const { body } = await client.post('/_sandbox/clock/advance', { until: 'idle', timeout: '60s' });
  expect(body.data.complete).toBe(true);
  return calls;
}

describe('a parallel customer suite', () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    'gets every delivery once and in order from a sandbox whose receiver closes connections at random (round %i)',
    async (round) => {
      const receiver = await startRandomReceiver();
      const names = Array.from({ length: WORLDS }, (_, nth) => `suite${round}-${nth}`);
      const dialled = await Promise.all(names.map((world) => customerTest(receiver, world)));
      receiver.close();
      let violations = 0;
      for (const [nth, calls] of dialled.entries()) {
        for (const [call, outcome] of calls) {
          const got = receiver.arrived.filter((each) => each.world === names[nth] && each.call === call);
          const order = ['new_call', 'call_completed', outcome, 'phone_call.ended'].join();
          if (got.map(({ type }) => type).join() !== order) violations += 1;
        }
      }
      const sent = WORLDS * CALLS * 4;
      if (thorough || process.env.CUSTOMER_SUITE_ROUNDS) {
        console.info(
          `round ${round}: ${sent} deliveries, ${receiver.arrived.length} arrived, ${violations} out of order`,
        );
      }
      expect({ arrived: receiver.arrived.length, violations }).toEqual({ arrived: sent, violations: 0 });
    },
  );
});
