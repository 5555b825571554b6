// Finds records that a request body names by id or number; `not_found`, with the field, if the world has no such
// record.
import { ApiError, quote } from '../errors/api-error.ts';
import type { Tx } from '../store/store.ts';
import { findVisible, type Reader } from './reader.ts';

export function nothingNamed(field: string, noun: string, value: string): ApiError {
  const article = /^[aeiou]/.test(noun) ? 'an' : 'a';
  return new ApiError('not_found', {
    message: `No ${noun} ${quote(value)} exists in this world.`,
    fields: { [field]: `does not identify any ${noun} of this world` },
    hint: `Name ${article} ${noun} of this world in ${field}.`,
  });
}

/** What an error calls an organization of the world. */
export function organizationName(tx: Tx, id: string): string {
  if (id === tx.world.organization_id) return 'the organization of this world';
  return `the sub-entity ${quote(tx.get('organizations', id)?.name)}`;
}

/** The id of the named organization: the world's own or a sub-entity; by default the reader's, else the world's own. */
export function organizationOf(tx: Tx, named: string | undefined, reader: Reader = {}): string {
  const organization = named ?? reader.organization ?? tx.world.organization_id;
  if (!findVisible(tx, 'organizations', organization, reader))
    throw nothingNamed('organization_id', 'organization', organization);
  return organization;
}
