// The requests part of a coverage report: the responses that each operation has given.
import type { Contract, Operation } from '../../contract/document.ts';
import { nodeAt } from '../../contract/nodes.ts';
import { BROKEN, NONE, partsOfRequest } from '../../coverage/facts.ts';
import { type Section, sectionOf } from './section.ts';

/** What an operation was answered, and what else its contract says that it may answer. */
export interface OperationCoverage {
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly error_codes: Readonly<Record<string, number>>;
  readonly statuses_not_met: readonly string[];
}

interface Answers {
  requests: number;
  readonly statuses: Map<string, number>;
  readonly codes: Map<string, number>;
}

export interface Requests {
  /** How many there were, those included that name no operation. */
  readonly total: number;
  readonly byOperation: ReadonlyMap<string, Answers>;
  readonly byCode: ReadonlyMap<string, number>;
}

export function requestsIn(counts: ReadonlyMap<string, number>): Requests {
  const byOperation = new Map<string, Answers>();
  const byCode = new Map<string, number>();
  let total = 0;
  for (const [fact, count] of counts) {
    const parts = partsOfRequest(fact);
    if (!parts) continue;
    const { operation, status, code } = parts;
    total += count;
    if (code !== NONE) add(byCode, code, count);
    if (operation === NONE) continue;
    const answers = byOperation.get(operation) ?? { requests: 0, statuses: new Map(), codes: new Map() };
    byOperation.set(operation, answers);
    answers.requests += count;
    add(answers.statuses, status, count);
    if (code !== NONE) add(answers.codes, code, count);
  }
  return { total, byOperation, byCode };
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

export function operationsIn(
  { document, operations }: Contract,
  byOperation: Requests['byOperation'],
): Section & { readonly answers: Readonly<Record<string, OperationCoverage>> } {
  const called = [...operations.values()].flatMap((operation) => {
    const answers = byOperation.get(operation.id);
    return answers ? [{ operation, answers }] : [];
  });
  const counts = new Map(called.map(({ operation, answers }) => [operation.id, answers.requests]));
  const details = called.map(({ operation, answers }): [string, OperationCoverage] => [
    operation.id,
    {
      requests: answers.requests,
      statuses: Object.fromEntries(answers.statuses),
      error_codes: Object.fromEntries(answers.codes),
      statuses_not_met: declaredStatuses(document, operation).filter((status) => !isMet(status, answers.statuses)),
    },
  ]);
  return { ...sectionOf([...operations.keys()], counts), answers: Object.fromEntries(details) };
}

function declaredStatuses(document: Contract['document'], { path, method }: Operation): string[] {
  return Object.keys(nodeAt(document, 'paths', path, method.toLowerCase(), 'responses')).filter(Number);
}

/** A world can assume another success than the declared one. */
function isMet(status: string, met: ReadonlyMap<string, number>): boolean {
  if (met.has(status)) return true;
  return status.startsWith('2') && [...met.keys()].some((other) => other !== BROKEN && other.startsWith('2'));
}
