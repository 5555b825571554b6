// Lead sources: `spec.md` "Lead intake endpoints do not use API keys". Each has a URL token and a secret of its own.
import { timestamp } from '../../clock/clock.ts';
import type { Secrets } from '../../identity/secrets.ts';
import type { Row } from '../../model.ts';
import type { Tx } from '../../store/store.ts';

/** The URL token of a source; until its first rotation it is derived from the world's name, so that tests can predict it. */
export function urlTokenOf(tx: Tx, { url_token, private: { suffix } }: Row<'lead_sources'>): string {
  return url_token ?? `lead_${tx.world.name}${suffix === null ? '' : `.${suffix}`}`;
}

/** Gives a source a new URL token, a new secret, or both; the old ones are no longer valid. */
export function rotate(
  tx: Tx,
  secrets: Secrets,
  source: Row<'lead_sources'>,
  parts: { readonly url_token: boolean; readonly source_secret: boolean },
): Row<'lead_sources'> {
  // The epoch makes tokens unique across resets: those from before a reset must not be accepted.
  const rotation = [tx.world.name, tx.state('epoch'), tx.ordinal('lead source rotations')];
  const rotated: Row<'lead_sources'> = {
    ...source,
    url_token: parts.url_token ? `ltk_${secrets.token('lead url tokens', 32, ...rotation)}` : source.url_token,
    source_secret: parts.source_secret
      ? `lss_${secrets.token('lead source secrets', 40, ...rotation)}`
      : source.source_secret,
    rotated_at: timestamp(tx.at),
  };
  // Removed first, so that its old token is no longer found.
  tx.remove('lead_sources', source.id);
  tx.put('lead_sources', rotated);
  return rotated;
}
