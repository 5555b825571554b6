// How a failed command ends: one line on stderr, and its exit code. 1: failed, 2: wrong usage.
import { SandboxError } from '../client/sandbox-error.ts';
import { FileProblem } from '../file-problem.ts';
import { printable } from '../printable.ts';
import { StateNotSaved } from '../state/not-saved.ts';
import { WrongUse } from '../wrong-use.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

const portRemedy = 'choose another --port (RINGBACK_PORT), or 0 for a free one';

/** What to do about a server that cannot listen, by the system's error code. */
const listenRemedies: Readonly<Record<string, string>> = {
  EADDRINUSE: `another process listens there; ${portRemedy}`,
  EACCES: `this user may not listen there; ${portRemedy}`,
};

/** Why a host cannot be that of the server, by the system's error code. */
const hostProblems: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is a name that cannot be resolved',
  EAI_AGAIN: 'is a name that cannot be resolved on this machine now',
  EINVAL: 'is not an address of this machine',
};

/** Reports an error on stderr, and returns the exit code. */
export function reportError(error: unknown): number {
  const wrong = error instanceof WrongUse || error instanceof FileProblem ? error.message : hostProblem(error);
  if (wrong !== undefined) return report(wrong, WRONG_USAGE);
  // A value that only the server could check is wrong use too.
  if (error instanceof SandboxError) return report(inFlags(error), error.status === 400 ? WRONG_USAGE : FAILED);
  const message = error instanceof StateNotSaved ? error.message : (listenProblem(error) ?? stackOf(error));
  return report(message, FAILED);
}

/** Routes that a hint of the server names, as commands. */
const commandsOf: readonly (readonly [route: RegExp, command: string])[] = [
  [/\bGET \/_sandbox\/(worlds|scenarios|faults|deliveries)\b/g, '`ringback $1 list`'],
  [/\bPOST \/_sandbox\/worlds\b/g, '`ringback worlds create`'],
];

/** What the server says, whose hints are for HTTP, in the words of the command line. */
function inFlags({ status, code, message, reason }: SandboxError): string {
  if (status === null) return message;
  if (code === 'unauthorized') {
    return `${reason} Give a key by --key (RINGBACK_KEY), or the server's control token by --token (RINGBACK_CONTROL_TOKEN).`;
  }
  return commandsOf.reduce((text, [route, command]) => text.replace(route, command), message);
}

function report(message: string, code: number): number {
  process.stderr.write(`ringback: ${printable(message)}\n`);
  return code;
}

/** Undefined for an error that is not about the host to listen on. */
function hostProblem(error: unknown): string | undefined {
  if (!isAboutListening(error) || !('code' in error)) return undefined;
  const problem = hostProblems[String(error.code)];
  const host = 'hostname' in error ? error.hostname : 'address' in error ? error.address : undefined;
  if (problem === undefined || host === undefined) return undefined;
  return `--host (RINGBACK_HOST): "${host}" ${problem}; must be an address or a name of this machine, or 0.0.0.0 for all its addresses`;
}

const isAboutListening = (error: unknown): error is Error & { syscall: unknown } =>
  error instanceof Error && 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'getaddrinfo');

/** Undefined for an error that is not about listening. */
function listenProblem(error: unknown): string | undefined {
  if (!isAboutListening(error)) return undefined;
  const remedy = 'code' in error ? listenRemedies[String(error.code)] : undefined;
  return `cannot listen: ${error.message}${remedy ? `; ${remedy}` : ''}`;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
