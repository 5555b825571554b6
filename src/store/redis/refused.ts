// Errors with which Redis refuses a command: most of them pass, or last until someone changes its settings, and are those of
// a store that is away.
import { StoreAway, WorldDamaged } from '../store-away.ts';

/** Why a server refuses what it could do at another time, by the first word of its error. */
const refusals: Readonly<Record<string, string>> = {
  LOADING: 'Redis is loading its data',
  READONLY: 'Redis is a read-only replica',
  MASTERDOWN: 'Redis has lost its primary',
  CLUSTERDOWN: 'the Redis cluster is down',
  TRYAGAIN: 'the Redis cluster is moving keys',
  OOM: 'Redis has reached its maxmemory',
  MISCONF: 'Redis cannot save its data',
  NOREPLICAS: 'too few replicas of Redis are in touch with it',
  BUSY: 'Redis is busy with a script',
  MOVED: 'Redis is part of a cluster; name it as redis+cluster://host:port',
  ASK: 'the Redis cluster is moving keys',
  NOAUTH: 'Redis asks for a password (NOAUTH)',
  WRONGPASS: 'Redis knows no such user, or another password (WRONGPASS)',
};

/** The error of what another application has written where worlds are. */
export const foreign = (cause?: unknown): WorldDamaged =>
  new WorldDamaged('one of its keys rb:… has been written by another application', cause);

/** What a script may not do is an ERR. */
const lacking = /^NOPERM |ACL failure in script|The user executing the script can't/;
/** With which a server ends what a script has met. */
const placeInScript = /[:,]? script: [0-9a-f]{40}, on .*$/;

export const firstWordOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split(' ')[0] ?? '') : '';

/**
 * The error of a store that is away for a command that Redis could do at another time; else its own. Neither has the command
 * in it, which would be logged with all that is stored by it.
 */
export function refused(error: Error): Error {
  Reflect.deleteProperty(error, 'command');
  if (firstWordOf(error) === 'WRONGTYPE') return foreign(error);
  const reason = reasonOf(error);
  return reason === undefined ? error : new StoreAway(reason, error);
}

function reasonOf(error: Error): string | undefined {
  const { message } = error;
  if (message.startsWith('ERR max number of clients')) return 'Redis has as many clients as it may have (maxclients)';
  if (!lacking.test(message)) return refusals[firstWordOf(error)];
  const right = message.replace(/^(?:NOPERM|ERR) /, '').replace(placeInScript, '');
  return `its user lacks a right that docs/replicas.md names (${right})`;
}
