// The enterprise that an event emitted by hand is about. An organization has at most one.
import { carrierIdOf, enterpriseOf, newEnterprise } from '../../domain/caller-trust/enterprises.ts';
import { writeLetter } from '../../domain/caller-trust/letters.ts';
import { isAbout } from '../../events/catalogue.ts';
import { applyTriggers, type PastTrigger } from '../../fixtures/past-triggers.ts';
import { enterpriseLifecycle } from '../../lifecycles/enterprise.ts';
import type { Row } from '../../model.ts';
import { nothingNamed } from '../named-records.ts';
import type { Firing, RecordSource } from './firing.ts';
import { filledText, filledTexts, given, idOf, orNull } from './forms.ts';
import { byId } from './naming.ts';

type Enterprise = Row<'enterprises'>;

/** How long the carrier has taken, in milliseconds. */
const VETTING_MS = 30_000;

const forms = {
  legal_name: filledText,
  dba: orNull(filledText),
  rejection_reasons: filledTexts,
  loa_document_id: idOf('a document'),
};

export const enterprises: RecordSource<'enterprises'> = {
  forms: () => forms,
  named: (firing) => byId(firing, 'enterprises') ?? enterpriseOf(firing.tx, firing.owner),
  among: ({ owner }) => ['organization', owner.organization_id],
  asOf: (_, enterprise) => enterprise,
  drafts(fired, base) {
    const firing = base ? { ...fired, owner: { organization_id: base.private.organization_id } } : fired;
    const { tx } = firing;
    const draft: Enterprise = base ? { ...base, status: 'DRAFT' } : newOne(firing);
    const letter = base?.loa_document_id ?? letterOf(firing);
    return endings(firing)
      .map((ending) => ({ ending, record: submitted(firing, draft, letter ?? '', ending) }))
      .filter(({ record }) => isAbout(firing.type, record, tx.state('assumptions')))
      .map(({ ending, record }) => ({
        record,
        store() {
          const final = letter === undefined ? submitted(firing, draft, letterFor(firing, draft), ending) : record;
          if (!base) tx.put('enterprises', final);
          return final;
        },
      }));
  },
};

function newOne(firing: Firing): Enterprise {
  const { tx, owner } = firing;
  const name = given(firing, 'legal_name', forms.legal_name) ?? tx.get('organizations', owner.organization_id)?.name;
  return newEnterprise(tx, owner, name ?? null, given(firing, 'dba', forms.dba) ?? null, { details: {} });
}

type Ending = readonly PastTrigger<'enterprises'>[];

/** What the carrier can have decided; nothing yet, where a submission emits the event too. */
function endings(firing: Firing): readonly Ending[] {
  const { at } = firing.tx;
  const reasons = given(firing, 'rejection_reasons', filledTexts) ?? ['The business details could not be verified.'];
  return [[{ trigger: 'approve', at, input: {} }], [{ trigger: 'reject', at, input: { reasons } }], []];
}

function submitted({ tx }: Firing, draft: Enterprise, loa_document_id: string, ending: Ending): Enterprise {
  const input = { loa_document_id, carrier_enterprise_id: carrierIdOf(tx, draft) };
  const at = ending.length > 0 ? tx.at - VETTING_MS : tx.at;
  return applyTriggers(enterpriseLifecycle, draft, [{ trigger: 'submit', at, input }, ...ending]);
}

/** The id of the document that was given; it belongs to the organization. */
function letterOf(firing: Firing): string | undefined {
  const { tx, owner } = firing;
  const id = given(firing, 'loa_document_id', forms.loa_document_id);
  if (id === undefined || tx.get('documents', id)?.private.organization_id === owner.organization_id) return id;
  throw nothingNamed('data.loa_document_id', 'document', id);
}

/** The id of a letter that is written for it, so that the document can be read. */
function letterFor({ tx, owner, letterWriter }: Firing, enterprise: Enterprise): string {
  if (!letterWriter) throw new Error('the letter of an enterprise has no writer');
  return writeLetter(tx, owner, enterprise, null, letterWriter).document_id;
}
