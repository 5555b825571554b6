// Which CNAM display names carriers accept (assumption set_cnam).
import { ApiError, quote } from '../../errors/api-error.ts';

/** Terms that carriers refuse anywhere in a name. */
const prohibited =
  /\b(FBI|CIA|DEA|IRS|NSA|USPS|POLICE|SHERIFF|GOVERNMENT|GOVT|FEDERAL|MEDICARE|MEDICAID|SOCIAL SECURITY|EMERGENCY)\b/i;
/** Names that do not identify a business. */
const generic =
  /^(UNKNOWN|UNAVAILABLE|ANONYMOUS|PRIVATE|RESTRICTED|BLOCKED|TOLL FREE|WIRELESS|CALLER|NAME|TEST)( (CALLER|CALL|NAME|NUMBER))?$/i;

/** Throws `validation_error` for a `cnam_display_name` that carriers refuse. */
export function checkDisplayName(name: string): void {
  const plain = name.replace(/[^A-Za-z0-9]+/g, ' ').trim();
  // F.B.I. is the same term as FBI.
  const term = (prohibited.exec(plain) ?? prohibited.exec(name.replaceAll('.', '')))?.[0];
  if (term !== undefined) throw refusedName(`contains the prohibited term ${term}`);
  if (generic.test(plain)) throw refusedName(`${quote(name)} is generic; it must be a name of the business`);
}

function refusedName(explanation: string): ApiError {
  return new ApiError('validation_error', {
    fields: { cnam_display_name: explanation },
    hint: 'Send a name of at most 15 characters that identifies the business to the called party.',
    assumption: 'set_cnam',
  });
}
