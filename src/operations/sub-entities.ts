// Sub-entities, the child organizations of an umbrella: `spec.md` "Sub-entity (child organization)". HIPAA mode turns
// the call-content policy on for the child; changing it takes a scope that no key has by default.
import { assumed } from '../assumptions/catalogue.ts';
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { type Caller, created, type Operation, ok, pageOf } from '../engine/operation.ts';
import { ApiError, notFound } from '../errors/api-error.ts';
import { insufficientScope } from '../errors/bearer.ts';
import { uuid } from '../identity/seeded.ts';
import type { Row } from '../model.ts';
import type { Tx } from '../store/store.ts';

export const listSubEntities: Operation<'listSubEntities'> = {
  handle(request, tx) {
    umbrellaOf(tx, request.caller);
    const { rows, counted } = pageOf(tx, 'organizations', request, true, 'parent');
    const data = rows.map((child) => serializeSubEntity(tx, child));
    return { status: 200, body: { data, meta: counted } };
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
    const child: Row<'organizations'> = {
      id,
      name: body.name,
      slug: freeSlug(tx, body.name),
      plan: umbrella.plan,
      parent_organization_id: umbrella.id,
      hipaa_enabled: body.hipaa_enabled ?? false,
      created_at: timestamp(tx.at),
      private: {
        organization_id: id,
        rank: tx.ordinal('records'),
        calling_rules: umbrella.private.calling_rules,
      },
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
function umbrellaOf(tx: Tx, caller: Caller): Row<'organizations'> {
  const organization = tx.get('organizations', caller.organization_id);
  if (organization && organization.parent_organization_id === null) return organization;
  throw new ApiError('forbidden', {
    message: 'The organization of this key is no umbrella organization; it has no sub-entities to administer.',
    hint: 'Use a key of the umbrella organization.',
    assumption: 'forbidden',
  });
}

function findChild(tx: Tx, umbrella: Row<'organizations'>, id: string): Row<'organizations'> {
  const child = tx.get('organizations', id);
  if (!child || child.parent_organization_id !== umbrella.id) throw notFound('sub-entity', id);
  return child;
}

/** `hipaa_enabled` takes `compliance:write`, beside the scope of the operation. */
function checkHipaaScope(tx: Tx, caller: Caller, body: { hipaa_enabled?: boolean }): void {
  if (body.hipaa_enabled === undefined || caller.scopes.includes('compliance:write')) return;
  throw new ApiError('scope_missing', {
    status: Number(assumed(tx.state('assumptions'), 'scope_missing_status')),
    message: 'Changing the HIPAA mode needs the scope compliance:write, which the key lacks.',
    hint: 'Use a key that was made with compliance:write; it is never granted by default.',
    fields: { hipaa_enabled: 'needs the scope compliance:write' },
    headers: { 'WWW-Authenticate': insufficientScope(['compliance:write']) },
    assumption: 'scope_missing_status, update_sub_entity',
  });
}

function serializeSubEntity(tx: Tx, child: Row<'organizations'>): Schemas['SubEntity'] {
  return {
    id: child.id,
    name: child.name,
    slug: child.slug,
    parent_organization_id: child.parent_organization_id as string,
    hipaa_enabled: child.hipaa_enabled,
    member_count: tx.count('users', 'organization', child.id),
    phone_number_count: tx.count('phone_numbers', 'organization', child.id),
    created_at: child.created_at,
  };
}

/** The name in lower case, accents taken off and hyphens between its words; numbered where that is taken. */
function freeSlug(tx: Tx, name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu)?.join('-') ?? 'sub-entity';
  const slug = [...words].slice(0, 80).join('');
  let free = slug;
  for (let n = 2; tx.count('organizations', 'slug', free) > 0; n++) free = `${slug}-${n}`;
  return free;
}
