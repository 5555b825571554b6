// Loads packages on first use. The build replaces this module with one that loads what is bundled in `dist/packages/`.
import { createRequire } from 'node:module';

export const requirePackage: (name: string) => unknown = createRequire(import.meta.url);
