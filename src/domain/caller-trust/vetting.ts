// What a carrier finds wrong with a submitted enterprise, from what was submitted (assumption rejection_reasons). The
// scenario vetting_by_submission decides by it.
import type { Row } from '../../model.ts';
import { parseUrl } from '../../parse-url.ts';
import type { Tx } from '../../store/store.ts';

interface Submission {
  /** By the names in the request. */
  readonly details: Readonly<Record<string, string | null | undefined>>;
  /** The first bytes of the letter; undefined if they are no longer stored. */
  readonly letter: string | undefined;
}

type Check = (submission: Submission) => string | undefined;

/** Prefixes of Employer Identification Numbers that no office gives out. */
const UNASSIGNED_PREFIXES = '00 07 08 09 17 18 19 28 29 49 69 70 78 79 89 96 97'.split(' ');
const postOfficeBox = /\bP\.?\s*O\.?\s*Box\b|\bPost Office Box\b/i;
const unitedStates = /^(US|USA|U\.S\.A?\.?|United States( of America)?)$/i;
const PDF_MARK = '%PDF-';

/** In the order in which the reasons are listed. */
const checks: readonly Check[] = [
  ({ details: { ein } }) => (ein ? undefined : 'The EIN is missing.'),
  ({ details: { ein } }) =>
    ein && UNASSIGNED_PREFIXES.includes(ein.slice(0, 2)) ? `The EIN ${ein} was never assigned.` : undefined,
  ({ details: { street_address } }) =>
    street_address && postOfficeBox.test(street_address)
      ? 'The street address is a P.O. box; it must be where the business is.'
      : undefined,
  ({ details: { country } }) =>
    country && !unitedStates.test(country) ? 'The business is not in the United States.' : undefined,
  ({ details: { website } }) =>
    website && !isPublicSite(website) ? `The website ${website.slice(0, 100)} is not a public web address.` : undefined,
  ({ letter }) =>
    letter === undefined || letter === PDF_MARK ? undefined : 'The Letter of Authorization is not a PDF document.',
];

/** The reasons to reject what is submitted, with this letter; none if there is nothing wrong. */
export function vettingFindings(tx: Tx, { private: own }: Row<'enterprises'>, letter: string): readonly string[] {
  const bytes = tx.get('document_contents', letter)?.content.buffer;
  const submission = { details: own.details, letter: bytes?.toString('latin1', 0, PDF_MARK.length) };
  return checks.flatMap((check) => check(submission) ?? []);
}

/** Whether it is the http or https address of a host with a domain, and not of this machine, a private name or an address. */
function isPublicSite(website: string): boolean {
  const address = parseUrl(/^[a-z][a-z0-9+.-]*:/i.test(website) ? website : `https://${website}`);
  if (!address) return false;
  const { protocol, hostname } = address;
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return (
    isWeb &&
    /\.[a-z][a-z0-9-]*[a-z0-9]$/i.test(hostname) &&
    !/\.(local|internal|localhost|test|invalid)$/.test(hostname)
  );
}
