// How a failed command ends: one line on stderr, and its exit code. 1: failed, 2: wrong usage.
import { CommanderError } from 'commander';
import { SettingProblem } from '../config.ts';
import { FileProblem } from '../file-problem.ts';
import { StateNotSaved } from '../state/not-saved.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

const addressRemedy = '--host (RINGBACK_HOST) must be an address of this machine, or 0.0.0.0 for all of them';
const portRemedy = 'choose another --port (RINGBACK_PORT), or 0 for a free one';

/** What to do about a server that cannot listen, by the system's error code. */
const listenRemedies: Readonly<Record<string, string>> = {
  EADDRINUSE: `another process listens there; ${portRemedy}`,
  EACCES: `this user may not listen there; ${portRemedy}`,
  EADDRNOTAVAIL: addressRemedy,
  ENOTFOUND: addressRemedy,
  EAI_AGAIN: `the name cannot be resolved on this machine now; ${addressRemedy}`,
};

/** Reports an error on stderr, and returns the exit code. */
export function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode;
  if (error instanceof SettingProblem || error instanceof FileProblem) {
    process.stderr.write(`ringback: ${error.message}\n`);
    return WRONG_USAGE;
  }
  const message = error instanceof StateNotSaved ? error.message : (listenProblem(error) ?? stackOf(error));
  process.stderr.write(`ringback: ${message}\n`);
  return FAILED;
}

/** Undefined for an error that is not about listening. */
function listenProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') return undefined;
  const remedy = 'code' in error ? listenRemedies[String(error.code)] : undefined;
  return `cannot listen: ${error.message}${remedy ? `; ${remedy}` : ''}`;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
