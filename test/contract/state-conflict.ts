// What the tables of operations in the wrong state consist of.
import type { Sandbox } from '../../src/index.ts';
import type { Client } from '../support/client.ts';
import type { ValidRequest } from '../support/valid-request.ts';

export interface Parts {
  readonly sandbox: Sandbox;
  readonly client: Client;
}

export interface StateConflict {
  readonly operation: string;
  readonly state: string;
  /** Brings the world into the state; returns the id of the record that the request is about, if that is new. */
  readonly prepare?: (parts: Parts) => Promise<string | undefined>;
  /** Whether it takes long to reach the state, so that only `npm run test:all` does. */
  readonly isLong?: boolean;
  /** The request, made once the state is reached. */
  readonly request: (client: Client, id: string) => ValidRequest | Promise<ValidRequest>;
  /** What the message says about the state. */
  readonly names: string;
  /** What message or hint say is allowed. */
  readonly allowed: RegExp;
  /** The keys of the error's `fields`; none unless given. */
  readonly fields?: readonly string[];
}

export const post = (path: string, body?: object): ValidRequest => ({
  method: 'POST',
  path,
  ...(body ? { body } : {}),
});
