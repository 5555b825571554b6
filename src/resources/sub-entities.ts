// Sub-entities, the child organizations of an umbrella: `spec.md` "Sub-entity (child organization)". HIPAA mode turns
// the call-content policy on for the child; changing it takes a scope that no key has by default.
import { assumed } from '../assumptions/catalogue.ts';
import { timestamp } from '../clock/clock.ts';
import type { Schemas } from '../contract/document.ts';
import { type Caller, created, type Operation, ok, pageOf } from '../engine/operation.ts';
import { ApiError, noSuch } from '../errors/api-error.ts';
import type { Row } from '../model.ts';
import { uuid } from '../store/identity.ts';
import type { Tx } from '../store/store.ts';

export const listSubEntities: Operation<'listSubEntities'> = {
  async handle(request, tx) {
    await umbrellaOf(tx, request.caller);
    const { rows, counted } = await pageOf(tx, 'organizations', request, true, 'parent');
    const data: Schemas['SubEntity'][] = [];
    for (const child of rows) data.push(await shownChild(tx, child));
    return { status: 200, body: { data, meta: counted } };
  },
};

export const getSubEntity: Operation<'getSubEntity'> = {
  async handle({ caller, params }, tx) {
    const umbrella = await umbrellaOf(tx, caller);
    return ok(await shownChild(tx, await findChild(tx, umbrella, params.id)));
  },
};

export const createSubEntity: Operation<'createSubEntity'> = {
  async handle({ caller, body }, tx) {
    const umbrella = await umbrellaOf(tx, caller);
    await checkHipaaScope(tx, caller, body);
    const id = uuid(tx.world.seed, tx.world.name, 'sub_entities', await tx.ordinal('sub_entities'));
    const child: Row<'organizations'> = {
      id,
      name: body.name,
      slug: await freeSlug(tx, body.name),
      plan: umbrella.plan,
      parent_organization_id: umbrella.id,
      hipaa_enabled: body.hipaa_enabled ?? false,
      created_at: timestamp(tx.at),
      private: {
        organization_id: id,
        rank: await tx.ordinal('records'),
        calling_rules: umbrella.private.calling_rules,
      },
    };
    await tx.put('organizations', child);
    return created(await shownChild(tx, child));
  },
};

export const updateSubEntity: Operation<'updateSubEntity'> = {
  async handle({ caller, params, body }, tx) {
    const umbrella = await umbrellaOf(tx, caller);
    await checkHipaaScope(tx, caller, body);
    const child = await findChild(tx, umbrella, params.id);
    const { name = child.name, hipaa_enabled = child.hipaa_enabled } = body;
    const changed = { ...child, name, hipaa_enabled };
    await tx.put('organizations', changed);
    return ok(await shownChild(tx, changed));
  },
};

/** The caller's organization, which must be an umbrella; `forbidden` for a child. */
async function umbrellaOf(tx: Tx, caller: Caller): Promise<Row<'organizations'>> {
  const organization = await tx.get('organizations', caller.organization_id);
  if (organization && organization.parent_organization_id === null) return organization;
  throw new ApiError('forbidden', {
    message: 'The organization of this key is no umbrella organization; it has no sub-entities to administer.',
    hint: 'Use a key of the umbrella organization.',
    assumption: 'forbidden',
  });
}

async function findChild(tx: Tx, umbrella: Row<'organizations'>, id: string): Promise<Row<'organizations'>> {
  const child = await tx.get('organizations', id);
  if (!child || child.parent_organization_id !== umbrella.id) throw noSuch('sub-entity', id);
  return child;
}

/** `hipaa_enabled` takes `compliance:write`, beside the scope of the operation. */
async function checkHipaaScope(tx: Tx, caller: Caller, body: { hipaa_enabled?: boolean }): Promise<void> {
  if (body.hipaa_enabled === undefined || caller.scopes.includes('compliance:write')) return;
  throw new ApiError('scope_missing', {
    status: Number(assumed(await tx.cell('assumptions'), 'scope_missing_status')),
    message: 'Changing the HIPAA mode needs the scope compliance:write, which the key lacks.',
    hint: 'Use a key that was made with compliance:write; it is never granted by default.',
    fields: { hipaa_enabled: 'needs the scope compliance:write' },
    headers: {
      'WWW-Authenticate': 'Bearer realm="voice-platform", error="insufficient_scope", scope="compliance:write"',
    },
    assumption: 'scope_missing_status, update_sub_entity',
  });
}

async function shownChild(tx: Tx, child: Row<'organizations'>): Promise<Schemas['SubEntity']> {
  const numbers = await tx.page('phone_numbers', 'organization', child.id, { limit: 10_000 });
  return {
    id: child.id,
    name: child.name,
    slug: child.slug,
    parent_organization_id: child.parent_organization_id as string,
    hipaa_enabled: child.hipaa_enabled,
    member_count: await tx.count('users', 'organization', child.id),
    phone_number_count: numbers.filter((number) => number.private.status !== 'RELEASED').length,
    created_at: child.created_at,
  };
}

/** The name in lower case, accents taken off and hyphens between its words; numbered where that is taken. */
async function freeSlug(tx: Tx, name: string): Promise<string> {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu)?.join('-') ?? 'sub-entity';
  const slug = [...words].slice(0, 80).join('');
  let free = slug;
  for (let n = 2; (await tx.count('organizations', 'slug', free)) > 0; n++) free = `${slug}-${n}`;
  return free;
}
