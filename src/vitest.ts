// `import 'ringback/vitest'` adds the matchers to Vitest; as a setup file, to all tests. `interface.md` section 8.
import { expect } from 'vitest';
import { type SandboxMatchers, sandboxMatchers } from './library/matchers.ts';

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: an interface can only be extended with the parameters that it has.
  interface Matchers<T = any> extends SandboxMatchers<Promise<void>> {}
}

expect.extend(sandboxMatchers);

export type { RequestMatch, SandboxMatchers } from './library/matchers.ts';
