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

/** Returns what happened, in words. */
async function advance(feed: Feed, body: { by: string } | { to: string }): Promise<string> {
  const { totals, complete } = await feed.control.call('advanceClock', { body });
  const happened = `${countOf(totals.steps, 'step')}, ${countOf(totals.deliveries, 'delivery', 'deliveries')}`;
  return complete ? happened : `${happened}; the rest takes longer`;
}

/** Asks for the next task first: the one that this page knows of may have passed. */
async function advanceToNext(feed: Feed): Promise<string> {
  const { at } = await feed.control.call('getNextTask');
  return at === null ? 'Nothing is scheduled' : advance(feed, { to: at });
}

export function ClockBar({ feed }: { readonly feed: Feed }) {
  const known = feed.clock.value;
  const now = useNow(known);
  const [isMoving, setMoving] = useState(false);
  const isLost = !feed.isConnected.value;

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

  if (!known || now === null) return <div class="clock" aria-busy="true" />;
  const isDisabled = isMoving || isLost;
  return (
    <section class="clock" aria-label="Clock">
      <ClockTime now={now} />
      <ModeField
        mode={known.clock.mode}
        isDisabled={isDisabled}
        onMode={(mode) =>
          void move(async () => {
            const clock = await feed.control.call('setClock', { body: { mode } });
            feed.clock.value = { clock, readAt: performance.now() };
            return undefined;
          })
        }
      />
      <span class="clock-moves">
        <StepFields isDisabled={isDisabled} onStep={(by) => void move(() => advance(feed, { by }))} />
        <NextButton
          at={feed.nextAt.value}
          isUsual={known.clock.speed === 0}
          isDisabled={isDisabled}
          onNext={() => void move(() => advanceToNext(feed))}
        />
      </span>
    </section>
  );
}

const ClockTime = ({ now }: { readonly now: string }) => (
  <span class="clock-now">
    <span class="clock-day">{dayOf(now)}</span>
    <time class="clock-time" dateTime={now}>
      {timeOf(now)}
    </time>
    <span class="clock-zone">UTC</span>
  </span>
);

interface ModeProps {
  readonly mode: string;
  readonly isDisabled: boolean;
  readonly onMode: (mode: string) => void;
}

const ModeField = ({ mode: current, isDisabled, onMode }: ModeProps) => (
  <select
    class="clock-mode"
    aria-label="Speed of the clock"
    value={current}
    disabled={isDisabled}
    onChange={({ currentTarget }) => onMode(currentTarget.value)}
  >
    {(modes.some(([mode]) => mode === current) ? modes : [...modes, [current, current] as const]).map(
      ([mode, name]) => (
        <option key={mode} value={mode}>
          {name}
        </option>
      ),
    )}
  </select>
);

interface StepProps {
  readonly isDisabled: boolean;
  readonly onStep: (by: string) => void;
}

function StepFields({ isDisabled, onStep }: StepProps) {
  const [by, setBy] = useState<string>('10s');
  return (
    <span class="joined">
      <button type="button" class="button" disabled={isDisabled} onClick={() => onStep(by)}>
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
  );
}

interface NextProps {
  /** When something happens next; null if nothing is scheduled. */
  readonly at: string | null;
  /** Whether this is the usual way to move the clock, as on a stopped one. */
  readonly isUsual: boolean;
  readonly isDisabled: boolean;
  readonly onNext: () => void;
}

const NextButton = ({ at, isUsual, isDisabled, onNext }: NextProps) => (
  <button
    type="button"
    class={isUsual && at !== null ? 'button button-main' : 'button'}
    disabled={isDisabled || at === null}
    title={at === null ? 'Nothing is scheduled' : `At ${timeOf(at, true)}`}
    onClick={onNext}
  >
    Next event
  </button>
);
