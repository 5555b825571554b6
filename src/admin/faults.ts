// The faults of a world: what goes wrong with platform requests without a header from the client. `interface.md`
// section 5.
import { LATEST_INSTANT, timestamp } from '../clock/clock.ts';
import { parseDuration } from '../clock/duration.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError, notFound } from '../errors/api-error.ts';
import { MAX_FAULTS, readFaults } from '../faults/form.ts';
import { countFaults } from '../faults/meet.ts';
import type { FaultSpec, Row } from '../model.ts';
import { nextId } from '../store/next-id.ts';
import type { Tx } from '../store/store.ts';
import { type Page, type PageRequest, pageOf } from './pages.ts';

type Parts = Pick<SandboxContext, 'store'>;
type SettingParts = Pick<SandboxContext, 'store' | 'turns'>;

/** A fault as it was set, with its defaults, and what it has done. */
export interface FaultView extends FaultSpec {
  readonly id: string;
  readonly when: 'before' | 'after';
  readonly probability: number;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly matched: number;
  readonly applied: number;
}

function serializeFault({ id, spec, created_at, expires_at, matched, applied }: Row<'faults'>): FaultView {
  const { probability = 1 } = spec;
  return { id, ...spec, when: whenOf(spec), probability, created_at, expires_at, matched, applied };
}

/** An error and a gateway's answer come in place of the effect; a connection breaks after it, as by X-Sandbox-Fault. */
const whenOf = ({ when, error, respond }: FaultSpec): 'before' | 'after' =>
  when ?? (error !== undefined || respond !== undefined ? 'before' : 'after');

const faultsOf = (tx: Tx): Row<'faults'>[] => tx.page('faults', 'all', 'all');

export async function listFaults({ store }: Parts, world: string, page: PageRequest): Promise<Page<FaultView>> {
  const { data, meta } = pageOf(await store.transaction(world, faultsOf), page);
  return { data: data.map(serializeFault), meta };
}

/** Adds one fault, or replaces all by `{ faults }`. The form is checked here, for all who set faults. */
export async function setFaults(
  { store, turns }: SettingParts,
  world: string,
  given: unknown,
): Promise<FaultView | { readonly faults: readonly FaultView[] }> {
  const faults = await turns.workThrough(world, readFaults(given));
  return store.transaction(world, (tx) =>
    tx.withinBounds(() => {
      if ('added' in faults) return addFault(tx, faults.added);
      removeAll(tx);
      return { faults: faults.all.map((spec) => addFault(tx, spec)) };
    }),
  );
}

function addFault(tx: Tx, given: FaultSpec): FaultView {
  const spent = faultsOf(tx).find((fault) => fault.spent);
  if (tx.count('faults', 'all', 'all') >= MAX_FAULTS && spent) tx.remove('faults', spent.id);
  if (tx.count('faults', 'all', 'all') >= MAX_FAULTS) {
    throw new ApiError('conflict', {
      message: `The world has ${MAX_FAULTS} faults, the maximum.`,
      hint: 'Delete faults with DELETE /_sandbox/faults, or one by its id.',
    });
  }
  const ttl = given.ttl === undefined ? undefined : parseDuration(given.ttl);
  const fault: Row<'faults'> = {
    id: nextId(tx, 'flt', 'faults'),
    spec: { ...given, when: whenOf(given) },
    created_at: timestamp(tx.at),
    expires_at: ttl === undefined ? null : timestamp(Math.min(LATEST_INSTANT, tx.at + ttl)),
    matched: 0,
    applied: 0,
    spent: false,
    private: { organization_id: tx.world.organization_id, rank: tx.ordinal('order of faults') },
  };
  tx.put('faults', fault);
  countFaults(tx);
  return serializeFault(fault);
}

export async function clearFaults({ store }: Parts, world: string): Promise<void> {
  await store.transaction(world, removeAll);
}

export async function deleteFault({ store }: Parts, world: string, id: string): Promise<void> {
  await store.transaction(world, (tx) => {
    if (!tx.get('faults', id)) throw notFound('fault', id);
    tx.remove('faults', id);
    countFaults(tx);
  });
}

function removeAll(tx: Tx): void {
  for (const { id } of faultsOf(tx)) tx.remove('faults', id);
  countFaults(tx);
}
