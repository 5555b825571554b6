// Records the examples of the control API's document: every success that has a JSON body, and every error that a
// response lists, as a sandbox answers them. `npm run generate` writes them, `test/control/answers.test.ts` compares them.
import type { AnyCode } from '../src/errors/catalogue.ts';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { type Answer, type Client, clientOf } from '../test/support/client.ts';
import { walkControl } from '../test/support/control-walk.ts';
import { agentsOf, JOBS } from '../test/support/outbound.ts';
import { childOf, childOrganization } from '../test/support/world.ts';

export const CONTROL_EXAMPLES = 'src/control/openapi/examples.json';

/** The document that the operation answers with is its own example. */
export const WITHOUT_EXAMPLE = 'getControlDocument 200';

/** An error, caused in a sandbox without a control token. */
type Cause = (by: Client, url: string) => Promise<Answer>;

const errorCauses: Partial<Record<AnyCode, Cause>> = {
  validation_error: (by) => by.post('/_sandbox/clock/advance', { by: 'an hour' }),
  unauthorized: (_, url) => clientOf(url, 'svc_nobody').get('/_sandbox/clock'),
  forbidden: (by) => by.delete('/_sandbox/worlds/demo'),
  not_found: (by) => by.get('/_sandbox/scenarios/bussy'),
  async conflict(by) {
    await by.post('/_sandbox/worlds', { name: 'checkout-42' });
    return by.post('/_sandbox/worlds', { name: 'checkout-42' });
  },
  payload_too_large: (by) => by.post('/_sandbox/keys', 'x'.repeat(1024 * 1024)),
  unsupported_media_type: (by) => by.post('/_sandbox/keys', 'is_demo=true', { 'Content-Type': 'text/plain' }),
  timeout: (by) => by.get('/_sandbox/wait?event_type=call_busy&timeout=1ms'),
  method_not_allowed: (by) => by.delete('/_sandbox/health'),
  async content_policy_forbidden(by, url) {
    const child = await childOf(url, by);
    const { recording_url } = (await child.get('/v1/calls')).body.data[0];
    const officer = clientOf(url, 'svc_sandbox_compliance');
    await officer.patch(`/v1/sub-entities/${await childOrganization(by)}`, { hipaa_enabled: true });
    return by.get(new URL(recording_url).pathname);
  },
  // The last, since it leaves no memory for records.
  async rate_limited(by) {
    const [agent_id] = await agentsOf(by);
    for (const count of [1000, 100, 10, 1]) {
      const to_numbers = Array.from({ length: count }, (_, n) => `+1212556${1000 + n}`);
      while ((await by.post(JOBS, { agent_id, to_numbers })).status === 201) {}
    }
    return by.post('/_sandbox/simulate/new-contact');
  },
};

interface Recording {
  /** By name: `putScenario 201` for a success, the code for an error. */
  readonly examples: ReadonlyMap<string, unknown>;
  /** The names of all successes, those without a JSON body too. */
  readonly answered: readonly string[];
}

export async function recordControlExamples(): Promise<Recording> {
  const sandbox = await createSandbox({ clock: 'manual', memory: '16mb' });
  try {
    const examples = new Map<string, unknown>();
    const walked = await walkControl(sandbox);
    for (const [name, { body, headers }] of walked) {
      const isJson = headers['content-type']?.startsWith('application/json');
      if (isJson && name !== WITHOUT_EXAMPLE) examples.set(name, tidied(body, sandbox));
    }
    for (const [code, cause] of Object.entries(errorCauses)) {
      const { status, body, text } = await cause(clientOf(sandbox.url), sandbox.url);
      if (body.error?.code !== code) throw new Error(`${code}: ${status} ${text.slice(0, 200)}`);
      examples.set(code, tidied(body, sandbox));
    }
    return {
      examples: new Map([...examples].sort(([a], [b]) => (a < b ? -1 : 1))),
      answered: [...walked.keys()].sort(),
    };
  } finally {
    await sandbox.close();
  }
}

/** One example a line, so that a change shows which ones it changes. */
export function controlExamplesText({ examples }: Recording): string {
  const lines = [...examples].map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** What the machine and its time decide, as it could be. */
const unstable: Readonly<Record<string, unknown>> = {
  uptime_seconds: 60,
  began: 120,
  latency_ms: 3,
  duration_ms: 2,
  date: 'Mon, 05 Jan 2026 15:00:00 GMT',
  'X-RateLimit-Reset': '1767625260000',
  RateLimit: '"default";r=594;t=60',
  body_sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  // A snapshot has requests in it, with the time that each took.
  bytes: 40_000,
};

/** A body with the usual address and no value that differs from one run to the next; long lists are cut. */
function tidied(body: unknown, { url }: Sandbox): unknown {
  const own = JSON.stringify(body).replaceAll(new URL(url).host, '127.0.0.1:4747');
  // What is left are receivers of the customer's.
  const text = own.replaceAll(/127\.0\.0\.1:(?!4747\b)\d+/g, '127.0.0.1:8080');
  return JSON.parse(text, (key, value) => {
    if (Array.isArray(value)) return value.slice(0, typeof value[0] === 'object' ? 1 : 3);
    return value === null ? null : (unstable[key] ?? value);
  });
}
