// The request journal: requests to the platform's API and their responses.
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { invalidField } from '../errors/api-error.ts';
import { matchesGlob } from '../glob.ts';
import { sha256 } from '../identity/seeded.ts';
import type { RecordedMessage, RequestEntry } from '../model.ts';
import type { Tx } from '../store/store.ts';
import { findEntry, isRequested, type JournalPage, listEntries } from './journal.ts';
import { operationProblem } from './known-operation.ts';
import type { PageRequest } from './pages.ts';
import type { Slicing } from './read-journal.ts';
import type { Reader } from './reader.ts';
import { maySee } from './timeline/subject.ts';

type Parts = Pick<SandboxContext, 'store'>;

export interface RequestFilter {
  /** Case-insensitive. */
  readonly method?: string | undefined;
  /** A glob; without the query. */
  readonly path?: string | undefined;
  readonly operation?: string | undefined;
  readonly status?: number | undefined;
  /** The earliest instant, in milliseconds of the world's time. */
  readonly since?: number | undefined;
}

export type JournaledRequest = ReturnType<typeof serializeRequest>;

/** An entry as users see it. The hash of a body that is kept in full is computed when it is read: a page has thousands. */
export function serializeRequest(entry: RequestEntry) {
  const withHash = (message: RecordedMessage) => ({
    ...message,
    get body_sha256(): string {
      return bodyHash(message);
    },
  });
  return { ...entry, request: withHash(entry.request), response: withHash(entry.response) };
}

/** The SHA-256 of the whole body. */
export const bodyHash = ({ body, body_sha256 }: RecordedMessage): string => body_sha256 ?? sha256(body);

/** `validation_error` for an operation that does not exist. */
export async function listRequests(
  parts: Slicing,
  world: string,
  { method, path, operation, status, since, organization, ...page }: RequestFilter & PageRequest & Reader,
): Promise<JournalPage<JournaledRequest>> {
  const problem = operation === undefined ? undefined : operationProblem(operation);
  if (problem) throw invalidField('operation', problem);
  const matches = (entry: RequestEntry, tx: Tx): boolean =>
    maySee(tx, { organization }, { journal: 'requests', entry }) &&
    isRequested(method?.toUpperCase(), entry.method) &&
    (path === undefined || matchesGlob(path, entry.path)) &&
    isRequested<string | null>(operation, entry.operation) &&
    isRequested(status, entry.status) &&
    (since === undefined || Date.parse(entry.at) >= since);
  return listEntries(parts, world, 'requests', page, matches, serializeRequest);
}

export async function findRequest(
  parts: Parts,
  world: string,
  id: string,
  reader: Reader = {},
): Promise<JournaledRequest> {
  const isSeen = (entry: RequestEntry, tx: Tx): boolean => maySee(tx, reader, { journal: 'requests', entry });
  return serializeRequest(await findEntry(parts, world, 'requests', 'request', id, isSeen));
}
