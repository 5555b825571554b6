// Where a project has its scenario files, for commands that work on them without a server.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { given } from './server-address.ts';

/** Where `init` and `scenarios new` write. */
export const PROJECT_FOLDER = join('ringback', 'scenarios');

/** The folder that a server would take from the environment, or else that of the project, if it has one. */
export function scenarioFolder(): string | undefined {
  return given('RINGBACK_SCENARIOS') ?? (existsSync(PROJECT_FOLDER) ? PROJECT_FOLDER : undefined);
}
