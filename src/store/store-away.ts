// The error of a store that cannot be reached or refuses to work for a while: not a fault of the client, and it may
// pass.

/** Whether what was asked for has happened is not known, unless `reason` says why the store refused it. */
export class StoreAway extends Error {
  readonly reason: string;

  constructor(reason: string, cause?: unknown) {
    super(`The store is not available: ${reason}.`, { cause });
    this.reason = reason;
  }
}

/** What the store has of a world cannot be read, as something else has written there; other worlds can be used. */
export class WorldDamaged extends StoreAway {}
