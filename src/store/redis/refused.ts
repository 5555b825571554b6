// Errors with which Redis refuses a command: some of them pass, and are those of a store that is away.
import { StoreAway } from '../store-away.ts';

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
  WRONGTYPE: 'one of its keys rb:… has been written by another application',
};

export const firstWordOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split(' ')[0] ?? '') : '';

/** The error of a store that is away for a command that Redis could do at another time; else its own. */
export function refused(error: Error): Error {
  const reason = refusals[firstWordOf(error)];
  return reason === undefined ? error : new StoreAway(reason, error);
}
