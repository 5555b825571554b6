// The enterprise that an event fired by hand is about.
import { carrierIdOf, newEnterprise } from '../../domain/caller-trust/enterprises.ts';
import { writeLetter } from '../../domain/caller-trust/letters.ts';
import { isAbout } from '../../events/catalogue.ts';
import { applyTriggers, type PastTrigger } from '../../fixtures/past-triggers.ts';
import { enterpriseIsOpen, enterpriseLifecycle } from '../../lifecycles/enterprise.ts';
import type { Row } from '../../model.ts';
import { type Firing, type RecordSource, textIn } from './firing.ts';

type Enterprise = Row<'enterprises'>;

/** How long the carrier has taken, in milliseconds. */
const VETTING_MS = 30_000;

export const enterprises: RecordSource<'enterprises'> = {
  index: () => 'organization',
  asOf(firing, enterprise) {
    const status = textIn(firing, 'status') ?? enterprise.status;
    if (isAbout(firing.type, enterprise) && status === enterprise.status) return enterprise;
    return vetted(firing, enterprise);
  },
  make(firing) {
    const { tx, owner } = firing;
    const name = textIn(firing, 'legal_name') ?? tx.get('organizations', owner.organization_id)?.name ?? null;
    const draft = newEnterprise(tx, owner, name, textIn(firing, 'dba') ?? null, {});
    const enterprise = vetted(firing, draft);
    tx.put('enterprises', enterprise);
    return enterprise;
  },
};

/** The enterprise as if it had been submitted, unless it was, and vetted. */
function vetted(firing: Firing, enterprise: Enterprise): Enterprise {
  const { tx, data } = firing;
  const decision: PastTrigger<'enterprises'> =
    data.status === 'REJECTED'
      ? { trigger: 'reject', at: tx.at, input: { reasons: ['The business details could not be verified.'] } }
      : { trigger: 'approve', at: tx.at, input: {} };
  if (!enterpriseIsOpen(enterprise)) {
    return applyTriggers(enterpriseLifecycle, { ...enterprise, status: 'PENDING_VETTING' }, [decision]);
  }
  const loa_document_id =
    textIn(firing, 'loa_document_id') ?? enterprise.loa_document_id ?? letterFor(firing, enterprise);
  const input = { loa_document_id, carrier_enterprise_id: carrierIdOf(tx, enterprise) };
  return applyTriggers(enterpriseLifecycle, enterprise, [
    { trigger: 'submit', at: tx.at - VETTING_MS, input },
    decision,
  ]);
}

/** The id of a letter that is written for it, so that the document can be read. */
function letterFor({ tx, owner, letterWriter }: Firing, enterprise: Enterprise): string {
  if (!letterWriter) throw new Error('the letter of an enterprise has no writer');
  return writeLetter(tx, owner, enterprise, null, letterWriter).document_id;
}
