// Sub-entities, the child organizations of an umbrella: `spec.md` "Sub-entity (child organization)". HIPAA mode turns
// the call-content policy on for the child; changing it takes a scope that no key has by default.
import { assumed } from '../assumptions/catalogue.ts';
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { lacksScope } from '../domain/organizations/scopes.ts';
import { type Caller, created, type Operation, ok } from '../engine/operation.ts';
import { pageOf } from '../engine/paging.ts';
import { ApiError, notFound } from '../errors/api-error.ts';
import { recordId } from '../identity/record-id.ts';
import { uuid } from '../identity/seeded.ts';
import type { Row } from '../model.ts';
import type { Tx } from '../store/store.ts';

type Umbrella = Row<'organizations'>;
type Child = Row<'organizations'> & { readonly parent_organization_id: string };

export const listSubEntities: Operation<'listSubEntities'> = {
  handle({ caller, query }, tx) {
    const umbrella = umbrellaOf(tx, caller);
    const { rows, counted } = pageOf(tx, 'organizations', 'parent', umbrella.id, { ...query, newestFirst: true });
    return ok(
      rows.filter((row) => isChild(row, umbrella)).map((child) => serializeSubEntity(tx, child)),
      counted,
    );
  },
};

export const getSubEntity: Operation<'getSubEntity'> = {
  handle({ caller, params }, tx) {
    const umbrella = umbrellaOf(tx, caller);
    return ok(serializeSubEntity(tx, findChild(tx, umbrella, params.id)));
  },
};

export const createSubEntity: Operation<'createSubEntity'> = {
  handle({ caller, body }, tx) {
    const umbrella = umbrellaOf(tx, caller);
    checkHipaaScope(tx, caller, body);
    const id = uuid(tx.world.seed, tx.world.name, 'sub_entities', tx.ordinal('sub_entities'));
    const child: Child = {
      id,
      name: body.name,
      slug: unusedSlug(tx, body.name),
      plan: umbrella.plan,
      parent_organization_id: umbrella.id,
      hipaa_enabled: body.hipaa_enabled ?? false,
      created_at: timestamp(tx.at),
      private: { organization_id: id, rank: tx.ordinal('records'), calling_rules: null },
    };
    tx.put('organizations', child);
    return created(serializeSubEntity(tx, child));
  },
};

export const updateSubEntity: Operation<'updateSubEntity'> = {
  handle({ caller, params, body }, tx) {
    const umbrella = umbrellaOf(tx, caller);
    checkHipaaScope(tx, caller, body);
    const child = findChild(tx, umbrella, params.id);
    const { name = child.name, hipaa_enabled = child.hipaa_enabled } = body;
    const changed = { ...child, name, hipaa_enabled };
    tx.put('organizations', changed);
    return ok(serializeSubEntity(tx, changed));
  },
};

/** The caller's organization, which must be an umbrella; `forbidden` for a child. */
function umbrellaOf(tx: Tx, caller: Caller): Umbrella {
  const organization = tx.get('organizations', caller.organization_id);
  if (organization && organization.parent_organization_id === null) return organization;
  const isForbidden = assumed(tx.state('assumptions'), 'forbidden') === 403;
  throw new ApiError(isForbidden ? 'forbidden' : 'not_found', {
    message: 'The organization of this key is not an umbrella organization; it has no sub-entities to administer.',
    hint: 'Use a key of the umbrella organization.',
    assumption: 'forbidden',
  });
}

const isChild = (organization: Row<'organizations'>, umbrella: Umbrella): organization is Child =>
  organization.parent_organization_id === umbrella.id;

function findChild(tx: Tx, umbrella: Umbrella, id: string): Child {
  const child = tx.get('organizations', recordId(id));
  if (child && isChild(child, umbrella)) return child;
  throw notFound('sub-entity', id);
}

/** Throws `scope_missing` if a body sets `hipaa_enabled` and the key lacks `compliance:write`. */
function checkHipaaScope(tx: Tx, caller: Caller, body: { hipaa_enabled?: boolean | null }): void {
  if (body.hipaa_enabled == null || caller.scopes.includes('compliance:write')) return;
  throw lacksScope(tx, ['compliance:write'], {
    message: 'Changing the HIPAA mode requires the scope compliance:write, which the key lacks.',
    hint: 'Use a key that was created with compliance:write; it is never granted by default.',
    fields: { hipaa_enabled: 'requires the scope compliance:write' },
    assumption: 'scope_missing_status, update_sub_entity',
  });
}

function serializeSubEntity(tx: Tx, child: Child): Schemas['SubEntity'] {
  return {
    id: child.id,
    name: child.name,
    slug: child.slug,
    parent_organization_id: child.parent_organization_id,
    hipaa_enabled: child.hipaa_enabled,
    member_count: tx.count('users', 'organization', child.id),
    phone_number_count: tx.count('phone_numbers', 'organization', child.id),
    created_at: child.created_at,
  };
}

/** The name in lower case, without accents, with hyphens between its words; numbered if that slug is taken. */
function unusedSlug(tx: Tx, name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu)?.join('-') ?? 'sub-entity';
  const slug = [...words].slice(0, 80).join('');
  let unused = slug;
  for (let n = 2; tx.count('organizations', 'slug', unused) > 0; n++) unused = `${slug}-${n}`;
  return unused;
}
