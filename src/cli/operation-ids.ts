// The operations of the platform's API, as values of flags.
import { loadContract } from '../contract/document.ts';
import type { ValueParser } from './known-values.ts';

const operationIds = (): string[] => [...loadContract().operations.keys()];

export const operationForm = 'the id of an operation, such as dialCall';

/** Undefined for an id that no operation has. */
export const readOperation: ValueParser<string | undefined> = Object.assign(
  (text: string) => operationIds().find((id) => id === text),
  { known: operationIds },
);

/** Any text: the server says which patterns it takes. */
export const readOperationPattern: ValueParser<string> = Object.assign((text: string) => text, { known: operationIds });
