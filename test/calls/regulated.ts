// Sandboxes whose world `regulated` has calling rules: those of the bundled fixture, or changed ones.
import { readFileSync } from 'node:fs';
import { afterEach, expect } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts';
import { type Answer, type Client, clientOf } from '../support/client.ts';
import { temporaryFolders } from '../support/folders.ts';

export interface Regulated {
  readonly url: string;
  /** Uses the key `svc_sandbox_regulated`. */
  readonly client: Client;
  /** Dials a number at an instant. */
  dial(to: string, at: string): Promise<Answer>;
}

interface RegulatedSandboxes {
  /** Starts a sandbox at that instant. */
  regulated(start: string, options?: SandboxOptions): Promise<Regulated>;
  /** Starts a sandbox with changes to the text of the fixture. */
  ruled(start: string, ...changes: readonly (readonly [from: string, to: string])[]): Promise<Regulated>;
  readonly folderOf: ReturnType<typeof temporaryFolders>;
}

/** Closes the sandboxes after each test. */
export function useRegulated(): RegulatedSandboxes {
  const folderOf = temporaryFolders();
  const opened: Sandbox[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  async function regulated(start: string, options: SandboxOptions = {}): Promise<Regulated> {
    const sandbox = await createSandbox({ clock: 'manual', start, ...options });
    opened.push(sandbox);
    const client = clientOf(sandbox.url, 'svc_sandbox_regulated');
    return {
      url: sandbox.url,
      client,
      async dial(to, at) {
        await sandbox.world('regulated').clock.advance({ to: at });
        return client.dial(to);
      },
    };
  }

  async function ruled(
    start: string,
    ...changes: readonly (readonly [from: string, to: string])[]
  ): Promise<Regulated> {
    let text = readFileSync('fixtures/regulated.yaml', 'utf8');
    for (const [from, to] of changes) {
      expect(text).toContain(from);
      text = text.replace(from, to);
    }
    return regulated(start, { fixtures: folderOf({ 'regulated.yaml': text }) });
  }

  return { regulated, ruled, folderOf };
}

export const justBefore = (instant: string): string => new Date(Date.parse(instant) - 1).toISOString();
export const codeOf = (answer: Answer): string => (answer.status === 202 ? 'allowed' : answer.body.error.code);
