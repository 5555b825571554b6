// The webhook endpoint of an imagined integrator: it verifies signatures, takes every delivery once, and does not mind the
// order. A path per event type, since bodies name none.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the endpoint behaves to the next requests: as it should, or as on a bad day. */
export type Mood = 'well' | 'hangs' | 'resets' | number;

const SIGNED = new Set(['number_purchased', 'number_released']);

// biome-ignore lint/suspicious/noExplicitAny: the shapes of bodies are the platform's.
type Json = any;

export class WebhookEndpoint {
  readonly #server: Server;
  readonly #secret: string;
  readonly #seen = new Set<string>();
  /** What was taken, by event type. */
  readonly taken: { readonly type: string; readonly body: Json }[] = [];
  readonly counts = { duplicates: 0, forged: 0 };
  /** The moods of the next requests, first one first; well after that. */
  readonly moods: Mood[] = [];
  /** Called at each tick with the time. */
  onTick: (now: string) => Promise<void> = async () => {};

  constructor(secret: string) {
    this.#secret = secret;
    this.#server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', async () => {
        const mood = this.moods.shift() ?? 'well';
        if (mood === 'hangs') return;
        if (mood === 'resets') return void req.socket.resetAndDestroy();
        if (mood !== 'well') return void res.writeHead(mood).end();
        const type = (req.url ?? '').slice(1);
        const status = await this.#take(type, Buffer.concat(chunks), req.headers['x-service-signature-256']);
        res.writeHead(status).end();
      });
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The bodies of that type that were taken. */
  bodies(type: string): Json[] {
    return this.taken.filter((each) => each.type === type).map(({ body }) => body);
  }

  async #take(type: string, raw: Buffer, signature: string | string[] | undefined): Promise<number> {
    if (type === 'tick') {
      await this.onTick(JSON.parse(raw.toString()).now);
      return 204;
    }
    if (SIGNED.has(type) && !this.#isGenuine(raw, String(signature ?? ''))) {
      this.counts.forged += 1;
      return 401;
    }
    // Deliveries have no id: what has been taken is known by its bytes.
    const print = `${type} ${createHash('sha256').update(raw).digest('hex')}`;
    if (this.#seen.has(print)) {
      this.counts.duplicates += 1;
      return 200;
    }
    this.#seen.add(print);
    this.taken.push({ type, body: JSON.parse(raw.toString()) });
    return 200;
  }

  #isGenuine(raw: Buffer, signature: string): boolean {
    const expected = Buffer.from(createHmac('sha256', this.#secret).update(raw).digest('hex'));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }
}
