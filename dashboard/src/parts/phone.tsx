// A phone that rings on the screen: a call whose scenario leaves the outcome to the person who watches. It can be answered,
// declined, or left to ring.
import { useState } from 'preact/hooks';
import { phoneOf, wordsOf } from '../format.ts';
import { hrefOf } from '../route.ts';
import { sayError } from '../state/current.ts';
import type { CallRow, Feed } from '../state/feed.ts';

/** More of them at once are calls that nobody can take. */
const MOST_SHOWN = 3;

export function RingingPhones({ feed }: { readonly feed: Feed }) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const ringing = feed.ringing.value.filter(({ id }) => !left.has(id)).slice(0, MOST_SHOWN);
  return (
    <div class="phones" aria-live="assertive">
      {ringing.map((row) => (
        <Phone key={row.id} feed={feed} row={row} onLeave={() => setLeft((ids) => new Set([...ids, row.id]))} />
      ))}
    </div>
  );
}

interface PhoneProps {
  readonly feed: Feed;
  readonly row: CallRow;
  readonly onLeave: () => void;
}

function Phone({ feed, row: { id, call, choices }, onLeave }: PhoneProps) {
  return (
    <section class="phone" aria-label={`Phone of ${phoneOf(call.to_number)}`}>
      <span class="phone-ring" aria-hidden="true" />
      <div class="phone-text">
        <a class="phone-number" href={hrefOf({ page: 'calls', id })}>
          {phoneOf(call.to_number)}
        </a>
        <span class="faint">rings; {phoneOf(call.from_number)} calls</span>
      </div>
      <div class="phone-actions">
        {choices.map((choice) => (
          <Decide key={choice} feed={feed} id={id} choice={choice} />
        ))}
        <button type="button" class="button button-small" onClick={onLeave}>
          Let it ring
        </button>
      </div>
    </section>
  );
}

interface DecideProps {
  readonly feed: Feed;
  readonly id: string;
  readonly choice: string;
}

export function Decide({ feed, id, choice }: DecideProps) {
  const [isSending, setSending] = useState(false);
  async function decide(): Promise<void> {
    setSending(true);
    try {
      feed.show(await feed.control.call('decideCall', { path: { id }, body: { choose: choice } }));
    } catch (error) {
      sayError(error);
    } finally {
      setSending(false);
    }
  }
  return (
    <button
      type="button"
      class={`button button-small choice-${choice}`}
      disabled={isSending}
      onClick={() => void decide()}
    >
      {wordsOf(choice)}
    </button>
  );
}
