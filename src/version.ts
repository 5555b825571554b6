// The version of this package, without loading the rest of it.
import { readFileSync } from 'node:fs';
import { packageFile } from './package-files.ts';

const manifest: { version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
export const version = manifest.version;
