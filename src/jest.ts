// `setupFilesAfterEnv: ['ringback/jest']` adds the matchers to Jest. `interface.md` section 8.
import { type SandboxMatchers, sandboxMatchers } from './library/matchers.ts';

declare global {
  namespace jest {
    interface Matchers<R> extends SandboxMatchers<Promise<void>> {}
  }
}

// Jest's own, which is global where a setup file runs.
const { expect } = globalThis as unknown as { readonly expect?: { extend(matchers: object): void } };
if (expect === undefined) throw new Error('ringback/jest belongs in setupFilesAfterEnv, where Jest has its `expect`');
expect.extend(sandboxMatchers);

export type { RequestMatch, SandboxMatchers } from './library/matchers.ts';
