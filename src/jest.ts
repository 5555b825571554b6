// `setupFilesAfterEnv: ['ringback/jest']` adds the matchers to Jest. `interface.md` section 8.
import { createRequire } from 'node:module';
import { type SandboxMatchers, sandboxMatchers } from './library/matchers.ts';

declare global {
  namespace jest {
    interface Matchers<R> extends SandboxMatchers<Promise<void>> {}
  }
}

// `expect` of `@jest/globals` has the types of this module, which a project without them may not have.
// biome-ignore lint/suspicious/noTsIgnore: an expected error would be one where the module is there.
// @ts-ignore
declare module 'expect' {
  interface Matchers<R> extends SandboxMatchers<Promise<void>> {}
}

interface Expect {
  extend(matchers: object): void;
}

/** Jest's own: global where a setup file runs, unless `injectGlobals` is off. */
function jestExpect(): Expect {
  const { expect } = globalThis as unknown as { readonly expect?: Expect };
  if (expect !== undefined) return expect;
  try {
    // Jest alone has this module, for the files that it runs.
    return (createRequire(import.meta.url)('@jest/globals') as { readonly expect: Expect }).expect;
  } catch {
    throw new Error('ringback/jest belongs in setupFilesAfterEnv, where Jest has its `expect`');
  }
}

jestExpect().extend(sandboxMatchers);

export type { RequestMatch, SandboxMatchers } from './library/matchers.ts';
