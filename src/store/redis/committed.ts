// What Redis answers to a commit, or to a look at what a copy has missed.
import { StoreAway } from '../store-away.ts';
import type { ScriptReply } from './connection.ts';
import type { Place } from './copy.ts';
import type { Fields } from './fields.ts';
import { textOf } from './replies.ts';

/** What a copy has missed is so much that it is to be asked for in parts. */
export interface FarBehind {
  readonly status: 'far behind';
  readonly at: Place;
  readonly missed: readonly string[];
}

export type Committed =
  | { readonly status: 'ok'; readonly at: Place }
  | { readonly status: 'behind'; readonly at: Place; readonly missed: Fields }
  | FarBehind
  /** Something that was written before, in parts, is not there any more. */
  | { readonly status: 'lacking' }
  /** Another server of Redis has the world now, and may have lost commits. */
  | { readonly status: 'moved'; readonly server: string }
  | { readonly status: 'reload' | 'gone' };

export function committedOf({ values, isRepeated }: ScriptReply, id: string, hasChanged: boolean): Committed {
  const [status, , version, tip, ...missed] = values;
  switch (status) {
    case 'ok':
      return { status, at: { version: Number(version), tip: id } };
    case 'behind':
      return {
        status,
        at: { version: Number(version), tip: String(tip) },
        missed: Array.from(
          { length: missed.length / 2 },
          (_, n) => [String(missed[2 * n]), textOf(missed[2 * n + 1])] as const,
        ),
      };
    case 'far behind':
      return { status, at: { version: Number(version), tip: String(tip) }, missed: missed.map(String) };
    case 'lacking':
      return { status };
    case 'moved':
      return { status, server: String(version) };
    case 'gone':
    case 'reload':
      // The log that would tell whether the first of the two calls has committed is gone; running it again could do it twice.
      if (isRepeated && hasChanged) throw new StoreAway('it is not known whether a commit has happened');
      return { status };
    default:
      // Not with the rest, which may be records.
      throw new StoreAway(
        `it has answered a commit with ${typeof status === 'string' ? status.slice(0, 20) : typeof status}`,
      );
  }
}
