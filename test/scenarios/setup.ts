// What the tests of scenarios share: how they choose a scenario, run a world until it is idle, and write scenarios.
import { afterAll, expect } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { type Answer, type Client, clientOf } from '../support/client.ts';
import { useFreshSandbox } from '../support/sandbox.ts';

/** A sandbox for a file, without limits on requests and calls; reset before each test. */
export const useScenarios = (): ReturnType<typeof useFreshSandbox> =>
  useFreshSandbox({ clock: 'manual', rateLimit: 'off', concurrentCalls: 'off' });

export interface Step {
  readonly at: string;
  readonly subject: { readonly table: string; readonly id: string };
  readonly trigger: string;
  readonly to: string;
}

/** A client of that world, which its first request creates. */
export const inWorld = (sandbox: Pick<Sandbox, 'url'>, name: string): Client =>
  clientOf(sandbox.url, `svc_test_${name}`);
export const scenarioOf = (answer: Answer): string | undefined => answer.headers['x-sandbox-scenario'];

/** Runs a world until it is idle; returns its steps in order. */
export async function untilIdle(of: Client): Promise<Step[]> {
  const answer = await of.post('/_sandbox/clock/advance', { until: 'idle' });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.data.complete).toBe(true);
  return answer.body.data.steps;
}

export async function lastRequest(of: Client): Promise<Answer['body']> {
  return (await of.get('/_sandbox/requests?page_size=1')).body.data[0];
}

export const putYaml = (of: Client, name: string, text: string): Promise<Answer> =>
  of.put(`/_sandbox/scenarios/${name}`, text, { 'Content-Type': 'application/yaml' });

/** A small scenario for a call: `more` fields, and a timeline of one trigger. */
export const busyLine = (more = '', trigger = 'busy'): string =>
  `kind: call\nsummary: A line of our own.\n${more}timeline:\n  - { after: 1s, trigger: ${trigger} }\n`;

interface FromFolder {
  readonly own: Client;
  readonly sandbox: Sandbox;
}

/** Starts sandboxes whose scenarios come from a folder; they are closed after the file. */
export function openFolders(): (folder: string) => Promise<FromFolder> {
  const opened: Sandbox[] = [];
  afterAll(() => Promise.all(opened.map((each) => each.close())));
  return async (folder) => {
    const sandbox = await createSandbox({ clock: 'manual', scenarios: folder });
    opened.push(sandbox);
    return { own: clientOf(sandbox.url), sandbox };
  };
}

/** A scenario as the control API shows it. */
export const shown = async (of: Client, name: string): Promise<Answer['body']> =>
  (await of.get(`/_sandbox/scenarios/${name}`)).body.data;
