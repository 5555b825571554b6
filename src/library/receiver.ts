// A webhook receiver for tests: a free port, every delivery with its exact bytes and its checked signature, scripted
// answers.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { SIGNATURE_HEADER, verifySignature } from '../webhooks/sign.ts';
import { type AnswerScript, Answers, giveAnswer } from './answer-script.ts';
import { checkFields, shown } from './arguments.ts';
import { Arrivals, type ReceivedWebhook, type WebhookMatch } from './arrivals.ts';

const MAX_PORT = 65_535;

export interface ReceiverOptions {
  /** The signing secret of the subscriptions; with it, each signed delivery is checked. */
  readonly secret?: string | undefined;
  /** The port; a free one by default. */
  readonly port?: number | undefined;
}

export interface Receiver {
  /** Its base address; deliveries to every path below it are received. */
  readonly url: string;
  /** What has arrived, oldest first. */
  readonly received: readonly ReceivedWebhook[];
  /**
   * How the next deliveries are answered, one after the other, and then with 200 again. A single answer stays.
   *
   * @example
   * receiver.respond([500, { status: 503, delay: '2s' }, 200]);
   */
  respond(answers: AnswerScript | readonly AnswerScript[]): void;
  /**
   * The first delivery that matches and that `next` has not returned before; waits for it up to `timeout` (real time, `10s`
   * by default). Rejects with what has arrived instead.
   *
   * @example
   * const busy = await receiver.next({ status: 'BUSY' });
   */
  next(match?: WebhookMatch, timeout?: string): Promise<ReceivedWebhook>;
  /** Forgets what has arrived, and answers with 200 again. */
  clear(): void;
  /** Stops it; who waits for a delivery is told so. `await using` calls it too. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a webhook receiver for tests.
 *
 * @example
 * const receiver = await createReceiver({ secret: 'sandbox_signing_secret' });
 * await sandbox.subscribe(`${receiver.url}/webhooks`, ['call_busy', 'number_purchased']);
 * const { body, verified } = await receiver.next({ failure_code: 'busy' });
 */
export async function createReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  checkFields('createReceiver', options, ['secret', 'port']);
  const { secret, port = 0 } = options;
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) {
    throw new TypeError(
      `port: ${shown(port)} is not valid; must be a port from 0 to ${MAX_PORT}; 0 takes any free port`,
    );
  }
  const arrivals = new Arrivals();
  const answers = new Answers();
  const server = createServer((req, res) => {
    receive(req, secret)
      .then((webhook) => {
        const answer = answers.take();
        arrivals.add(webhook);
        return giveAnswer(res, answer);
      })
      // The sender has gone, or the script has a header that no answer can have.
      .catch(() => res.destroy());
  });
  const url = await listening(server, port);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      arrivals.end();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url,
    received: arrivals.received,
    respond: (script) => answers.set(script),
    next: async (match = {}, timeout = '10s') => arrivals.next(match, timeout),
    clear() {
      arrivals.clear();
      answers.set(200);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function receive(req: IncomingMessage, secret: string | undefined): Promise<ReceivedWebhook> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const rawBody = Buffer.concat(chunks);
  const { method = '', url: path = '', headers } = req;
  const signature = headers[SIGNATURE_HEADER.toLowerCase()];
  const isChecked = secret !== undefined && signature !== undefined;
  const verified = isChecked ? verifySignature(rawBody, signature, secret) : undefined;
  return { method, path, headers, rawBody, body: parsedJson(rawBody), verified };
}

function parsedJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString());
  } catch {
    return undefined;
  }
}

/** Resolves to the address of a server that listens now. */
function listening(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    });
  });
}
