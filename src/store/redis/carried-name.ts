// Names of replicas that a world carries in fields of its own.

/** The field that has the replica which does the work of the world, if any does. */
export const RUNNER = 'runner';
/** The field that has who advances the clock of the world, if anybody does. */
export const ADVANCER = 'advancer';

/** The name of a replica that a world carries: as it is here, and as Redis has it. It changes with the commit of what runs now. */
export class CarriedName {
  readonly field: string;
  now = '';
  #told = '';

  constructor(field: string) {
    this.field = field;
  }

  get hasChanged(): boolean {
    return this.now !== this.#told;
  }

  settle(now = this.now): void {
    this.now = now;
    this.#told = now;
  }

  undo(): void {
    this.now = this.#told;
  }
}
