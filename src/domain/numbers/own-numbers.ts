// The numbers of an organization, for the list of its phone numbers and for their reputation: `spec.md` "Phone number".
import { inAssumedOrder, type Page, type PageOptions, pageOf } from '../../engine/paging.ts';
import type { Owner } from '../../engine/records.ts';
import type { Tx } from '../../store/store.ts';

export const pageOfNumbers = (tx: Tx, { organization_id }: Owner, query: PageOptions): Page<'phone_numbers'> =>
  pageOf(tx, 'phone_numbers', 'organization', organization_id, inAssumedOrder(tx, query));
