// When tokens are valid, by the clock that the world assumes for them (assumption `token_clock`).
import { assumed } from '../assumptions/catalogue.ts';
import type { Tx } from '../store/store.ts';

/** From when until when a token is valid, in Unix seconds. */
export interface TokenLife {
  readonly notBefore: number;
  readonly expires: number;
}

/** The present of the clock by which the tokens of a world are issued and expire, in milliseconds. */
export function tokenTime(tx: Tx): number {
  return assumed(tx.state('assumptions'), 'token_clock') === 'world' ? tx.at : tx.systemTime;
}

/** Why a token is not valid at an instant (in milliseconds), as in "The token …"; undefined if it is. */
export function lifeProblem({ notBefore, expires }: TokenLife, now: number): string | undefined {
  const seconds = Math.floor(now / 1000);
  if (seconds >= expires) return 'has expired.';
  return seconds < notBefore ? 'is not valid yet.' : undefined;
}
