// Authentication of a lead source, by the URL token in the path and the secret in a header instead of an API key. The
// URL token selects an existing world; it creates none.
import { timingSafeEqual } from 'node:crypto';
import { urlTokenOf } from '../domain/contacts/lead-sources.ts';
import type { SandboxContext } from '../engine/sandbox-context.ts';
import { ApiError } from '../errors/api-error.ts';
import { SOURCE_CHALLENGE } from '../errors/bearer.ts';
import { REQUESTS_PER_MINUTE } from '../identity/api-keys.ts';
import { sha256 } from '../identity/seeded.ts';
import { readWorldName } from '../identity/test-keys.ts';
import type { Row } from '../model.ts';
import { ifGone } from '../store/if-gone.ts';
import type { Tx } from '../store/store.ts';
import type { LocatedCaller } from './authenticate.ts';

type Parts = Pick<SandboxContext, 'store'>;

/** A URL token that has never been rotated contains the name of its world. */
const firstToken = /^lead_([^.]*)(?:\.[a-z0-9-]+)?$/i;

/** `not_found` if no source has the token; reading the caller throws `unauthorized` if the secret is wrong. */
export async function locateSource(
  parts: Parts & Pick<SandboxContext, 'worlds'>,
  written: string,
  secret: string | string[] | undefined,
): Promise<LocatedCaller> {
  const urlToken = readUrlToken(written);
  const world = await worldOfSource(parts, urlToken);
  if (world === undefined || parts.worlds.isExpired(world)) throw noSuchSource();
  return {
    world,
    recreated: false,
    caller(tx) {
      const source = findSource(tx, urlToken);
      if (!source) throw noSuchSource();
      checkSecret(source, secret);
      return {
        // The rate window belongs to the URL token.
        id: `lead_source_${sha256(urlToken).slice(0, 24)}`,
        organization_id: source.private.organization_id,
        scopes: [],
        is_demo: false,
        requests_per_minute: REQUESTS_PER_MINUTE,
      };
    },
  };
}

/** The world of a URL token; undefined if no source has it. */
export async function worldOfSource({ store }: Parts, written: string): Promise<string | undefined> {
  const urlToken = readUrlToken(written);
  const name = (await store.locate('lead_sources', urlToken))?.world ?? worldOfFirstToken(urlToken);
  if (name === undefined || !(await store.world(name))) return undefined;
  return (await store.transaction(name, (tx) => findSource(tx, urlToken)).catch(ifGone(undefined))) && name;
}

/** Case does not count in the name of a world, so it does not in a token that contains one. */
function readUrlToken(text: string): string {
  return firstToken.test(text) ? text.toLowerCase() : text;
}

function worldOfFirstToken(urlToken: string): string | undefined {
  return readWorldName(firstToken.exec(urlToken)?.[1] ?? '');
}

function findSource(tx: Tx, urlToken: string): Row<'lead_sources'> | undefined {
  const sources = tx.page('lead_sources', 'all', 'all');
  return sources.find((source) => urlTokenOf(tx, source) === urlToken);
}

function checkSecret({ source_secret }: Row<'lead_sources'>, given: string | string[] | undefined): void {
  const isCorrect = timingSafeEqual(Buffer.from(sha256(String(given ?? ''))), Buffer.from(sha256(source_secret)));
  if (isCorrect) return;
  throw new ApiError('unauthorized', {
    message: given === undefined ? 'The request carries no source secret.' : 'The source secret is wrong.',
    hint: 'Send the secret of the lead source in the header X-Source-Secret.',
    headers: { 'WWW-Authenticate': SOURCE_CHALLENGE },
    assumption: 'lead_intake',
  });
}

function noSuchSource(): ApiError {
  return new ApiError('not_found', {
    message: 'No lead source has this URL token.',
    hint: 'List the lead sources of a world with GET /_sandbox/lead-sources; a rotated URL token is no longer valid.',
    assumption: 'lead_intake',
  });
}
