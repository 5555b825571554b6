// The generated JSON Schemas of scenario and fixture files, for editors. They are part of the package.
import { readFileSync } from 'node:fs';
import { ApiError, quote } from '../errors/api-error.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { packageFile } from '../package-files.ts';

/** As they are in the package's folder `schemas/`. */
export const fileSchemas: readonly string[] = ['scenario.schema.json', 'fixture.schema.json'];

/** The text of a schema; `not_found` for any other name. */
export function readFileSchema(name: string): string {
  if (fileSchemas.includes(name)) return readFileSync(packageFile(`schemas/${name}`), 'utf8');
  throw new ApiError('not_found', {
    message: `There is no schema named ${quote(name)}${didYouMean(name, fileSchemas) || '.'}`,
    hint: `The schemas are ${fileSchemas.join(' and ')}.`,
  });
}
