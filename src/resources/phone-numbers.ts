// Phone numbers: `spec.md` "Phone number".
import { type Operation, pageOf } from '../engine/operation.ts';
import { wireOf } from '../model.ts';

export const listPhoneNumbers: Operation<'listPhoneNumbers'> = {
  handle(request, tx) {
    const { rows, meta } = pageOf(tx, 'phone_numbers', request, false);
    return { status: 200, body: { data: rows.map(wireOf), meta } };
  },
};
