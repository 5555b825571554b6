// The backend of an imagined integrator in a world of its own: its client, its webhook endpoint, and how they are driven.
import { VoiceClient } from './voice-client.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';

const SECRET = 'sandbox_signing_secret';

export class Backend {
  readonly url: string;
  readonly key: string;
  readonly endpoint = new WebhookEndpoint(SECRET);
  readonly client: VoiceClient;
  /** Moves the clock and sets up troubles, as only a test can; tries nothing again. */
  readonly sandbox: VoiceClient;
  #address = '';

  private constructor(url: string, key: string, patienceMs: number) {
    this.url = url;
    this.key = key;
    this.sandbox = new VoiceClient({ url, key, wait: async () => {} });
    this.client = new VoiceClient({ url, key, patienceMs, wait: (seconds) => this.advance(`${seconds}s`) });
  }

  /** `events` are the types that it subscribes to. */
  static async start(url: string, world: string, events: readonly string[], patienceMs = 10_000): Promise<Backend> {
    const backend = new Backend(url, `svc_test_customer-${world}`, patienceMs);
    backend.#address = await backend.endpoint.open();
    for (const type of events) await backend.subscribe(type);
    return backend;
  }

  /** Returns the id of the subscription. */
  async subscribe(event_type: string, plan?: object): Promise<string> {
    const webhook_url = `${this.#address}/${event_type}`;
    const { id } = await this.client.ask('POST', '/api/v1/webhook_subscriptions', { webhook_url, event_type });
    if (plan) await this.sandbox.ask('PUT', `/_sandbox/webhook-subscriptions/${id}`, { plan });
    return id;
  }

  /** Where its scheduler is driven from. */
  get tickUrl(): string {
    return `${this.#address}/tick`;
  }

  async advance(by: string): Promise<void> {
    await this.sandbox.ask('POST', '/_sandbox/clock/advance', by === 'idle' ? { until: 'idle' } : { by });
  }

  async fire(event_type: string, data?: object): Promise<void> {
    await this.sandbox.ask('POST', '/_sandbox/events', { event_type, ...(data && { data }) });
  }
}
