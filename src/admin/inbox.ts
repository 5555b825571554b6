// Inboxes: webhook receivers in the server itself, which record requests and answer as configured. `interface.md`
// section 5.
import { isUtf8 } from 'node:buffer';
import { timestamp } from '../clock/clock.ts';
import { parseDuration } from '../clock/duration.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { invalidField, quote } from '../errors/api-error.ts';
import type { DeliveryEntry, InboxEntry, InboxScript, Row } from '../model.ts';
import { nextEntryId } from '../store/next-id.ts';
import type { Tx } from '../store/store.ts';
import {
  checkSignature,
  noSignature,
  type SignatureCheck,
  secretsOf,
  signatureIn,
} from '../webhooks/check-signature.ts';
import { isInboxName } from '../webhooks/inbox-path.ts';
import { type JournalPage, listEntries } from './journal.ts';
import type { PageRequest } from './pages.ts';
import { readEntries, type Slicing } from './read-journal.ts';
import { type Reader, sees } from './reader.ts';
import { maySee } from './timeline/subject.ts';

type Parts = Pick<SandboxContext, 'store'>;
type ReceivingParts = Pick<SandboxContext, 'store' | 'turns'>;

/** A request as it arrived, without secrets in its path, query and headers. */
export interface InboxRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A message of an inbox as users see it. */
export function serializeMessage({ at, ...entry }: InboxEntry) {
  return { received_at: at, ...entry };
}

export type InboxMessage = ReturnType<typeof serializeMessage>;

/** How an inbox answers one request. */
export interface InboxAnswer {
  readonly data: Pick<InboxEntry, 'id' | 'signature'>;
  readonly status: number;
  /** In milliseconds of real time. */
  readonly delayMs: number;
}

/** Records a request, and returns what to answer. */
export async function receiveInInbox(
  parts: ReceivingParts,
  world: string,
  name: string,
  request: InboxRequest,
): Promise<InboxAnswer> {
  checkName(name);
  const { body, ...rest } = request;
  const checked = await signatureOf(parts, world, name, request);
  const isText = isUtf8(body);
  return parts.store.transaction(world, (tx) => {
    const script = tx.get('inboxes', name);
    const status = nextStatus(tx, script);
    const entry: InboxEntry = {
      id: nextEntryId(tx, 'inbox'),
      at: timestamp(tx.at),
      inbox: name,
      ...rest,
      body: body.toString(isText ? 'utf8' : 'base64'),
      encoding: isText ? 'utf8' : 'base64',
      body_bytes: body.length,
      ...checked,
      status,
    };
    tx.append('inbox', entry);
    const delayMs = script?.delay == null ? 0 : (parseDuration(script.delay) ?? 0);
    return { data: { id: entry.id, signature: entry.signature }, status, delayMs };
  });
}

async function signatureOf(
  { store, turns }: ReceivingParts,
  world: string,
  name: string,
  { headers, body }: InboxRequest,
): Promise<SignatureCheck> {
  const given = signatureIn(headers);
  if (given === undefined) return noSignature;
  const secrets = await store.transaction(world, (tx) => secretsOf(tx, name));
  return turns.workThrough(world, checkSignature(given, body, secrets));
}

/** The next of the statuses; a list is used up. */
function nextStatus(tx: Tx, script: Row<'inboxes'> | undefined): number {
  const [next, ...left] = script?.respond ?? [];
  if (script?.consumed && next !== undefined) tx.put('inboxes', { ...script, respond: left });
  return next ?? 200;
}

export async function listInboxMessages(
  parts: Slicing,
  world: string,
  name: string,
  { organization, ...page }: PageRequest & Reader,
): Promise<JournalPage<InboxMessage>> {
  checkName(name);
  const reader = { organization };
  const seesAll = await parts.store.transaction(world, (tx) => sees(tx, reader, null));
  const bodies = seesAll ? null : await bodiesSentFor(parts, world, reader);
  const matches = ({ inbox, body }: InboxEntry): boolean => inbox === name && (bodies === null || bodies.has(body));
  return listEntries(parts, world, 'inbox', page, matches, serializeMessage);
}

/** Nothing but its body tells whose event a message reports. */
async function bodiesSentFor(parts: Slicing, world: string, reader: Reader): Promise<Set<string>> {
  const isSeen = (entry: DeliveryEntry, tx: Tx): boolean => maySee(tx, reader, { journal: 'deliveries', entry });
  const { entries } = await readEntries(parts, world, 'deliveries', isSeen);
  return new Set(entries.flatMap(({ body, attempts }) => [body, ...attempts.flatMap((attempt) => attempt.body ?? [])]));
}

export interface InboxAnswers {
  readonly name: string;
  readonly respond: number | readonly number[] | null;
  readonly delay: string | null;
}

/** Sets one status that stays, or a list that is used up, after which it is 200 again. */
export function scriptInbox(
  { store }: Parts,
  world: string,
  name: string,
  {
    respond,
    delay,
  }: { readonly respond?: number | readonly number[] | undefined; readonly delay?: string | undefined },
): Promise<InboxAnswers> {
  checkName(name);
  const script: InboxScript = {
    id: name,
    respond: respond === undefined ? [] : [respond].flat(),
    consumed: typeof respond !== 'number',
    delay: delay ?? null,
  };
  return store.transaction(world, (tx) => {
    const { organization_id } = tx.world;
    tx.withinBounds(() => tx.put('inboxes', { ...script, private: { organization_id, rank: 0 } }));
    return serializeScript(script);
  });
}

function serializeScript({ id, respond, consumed, delay }: InboxScript): InboxAnswers {
  const [first = null] = respond;
  return { name: id, respond: consumed && respond.length > 0 ? respond : first, delay };
}

const MAX_DELAY_MS = 60_000;

/** A delay in its text form; undefined for one that is malformed or too long. */
export function readInboxDelay(text: string): string | undefined {
  const ms = parseDuration(text);
  return ms !== undefined && ms <= MAX_DELAY_MS ? text : undefined;
}

function checkName(name: string): void {
  if (isInboxName(name)) return;
  throw invalidField('name', `${quote(name)} is not the name of an inbox; must be 1 to 64 of letters, digits, _ and -`);
}
