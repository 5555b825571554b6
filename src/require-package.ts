// Loads packages on first use. The build puts a module of its own in the place of this one, which loads what is bundled
// in `dist/packages/`.
import { createRequire } from 'node:module';

export const requirePackage: (name: string) => unknown = createRequire(import.meta.url);
