// The clock of the world: what it shows, how fast it runs, and the ways to move it.
import { useEffect, useState } from 'preact/hooks';
import { countOf, dayOf, timeOf } from '../format.ts';
import { say, sayError } from '../state/current.ts';
import type { Feed, KnownClock } from '../state/feed.ts';

const modes: readonly (readonly [string, string])[] = [
  ['manual', 'Stopped'],
  ['real', 'Real time'],
  ['10x', '10 times'],
  ['60x', '60 times'],
  ['instant', 'Instant'],
];

const steps = ['1s', '10s', '1m', '1h'] as const;
const SHOWN_EVERY_MS = 200;

/** What a clock shows now. */
function shownBy({ clock, readAt }: KnownClock): string {
  return new Date(Date.parse(clock.now) + (performance.now() - readAt) * clock.speed).toISOString();
}

function useNow(known: KnownClock | null): string | null {
  const [, tick] = useState(0);
  const isRunning = known !== null && known.clock.speed > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => tick((count) => count + 1), SHOWN_EVERY_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return known && shownBy(known);
}

export function ClockBar({ feed }: { readonly feed: Feed }) {
  const known = feed.clock.value;
  const now = useNow(known);
  const [isMoving, setMoving] = useState(false);
  const [by, setBy] = useState<string>('10s');
  const isLost = !feed.isConnected.value;
  const next = feed.nextAt.value;

  async function move(action: () => Promise<string | undefined>): Promise<void> {
    setMoving(true);
    try {
      const said = await action();
      if (said !== undefined) say(said);
      await feed.readClock();
    } catch (error) {
      sayError(error);
    } finally {
      setMoving(false);
    }
  }
  const advance = async (body: { by: string } | { to: string }): Promise<string> => {
    const { totals, complete } = await feed.control.call('advanceClock', { body });
    const happened = `${countOf(totals.steps, 'step')}, ${countOf(totals.deliveries, 'delivery', 'deliveries')}`;
    return complete ? happened : `${happened}; the rest takes longer`;
  };
  /** To what is next by now: the one that this page knows can have passed. */
  async function advanceToNext(): Promise<string> {
    const { at } = await feed.control.call('getNextTask');
    return at === null ? 'Nothing is scheduled' : advance({ to: at });
  }

  if (!known || now === null) return <div class="clock" aria-busy="true" />;
  const isStopped = known.clock.speed === 0;
  const isDisabled = isMoving || isLost;
  return (
    <section class="clock" aria-label="Clock">
      <span class="clock-now">
        <span class="clock-day">{dayOf(now)}</span>
        <time class="clock-time" dateTime={now}>
          {timeOf(now)}
        </time>
        <span class="clock-zone">UTC</span>
      </span>
      <select
        class="clock-mode"
        aria-label="Speed of the clock"
        value={known.clock.mode}
        disabled={isDisabled}
        onChange={({ currentTarget: { value } }) =>
          void move(async () => {
            const clock = await feed.control.call('setClock', { body: { mode: value } });
            feed.clock.value = { clock, readAt: performance.now() };
            return undefined;
          })
        }
      >
        {(modes.some(([mode]) => mode === known.clock.mode)
          ? modes
          : [...modes, [known.clock.mode, known.clock.mode] as const]
        ).map(([mode, name]) => (
          <option key={mode} value={mode}>
            {name}
          </option>
        ))}
      </select>
      <span class="clock-moves">
        <span class="joined">
          <button type="button" class="button" disabled={isDisabled} onClick={() => void move(() => advance({ by }))}>
            Step
          </button>
          <select aria-label="Size of a step" value={by} onChange={({ currentTarget }) => setBy(currentTarget.value)}>
            {steps.map((step) => (
              <option key={step} value={step}>
                {step.replace(/(\D+)$/, ' $1')}
              </option>
            ))}
          </select>
        </span>
        <button
          type="button"
          class={isStopped && next !== null ? 'button button-main' : 'button'}
          disabled={isDisabled || next === null}
          title={next === null ? 'Nothing is scheduled' : `At ${timeOf(next, true)}`}
          onClick={() => void move(advanceToNext)}
        >
          Next event
        </button>
      </span>
    </section>
  );
}
