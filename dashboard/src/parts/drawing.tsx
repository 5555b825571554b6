// The drawing of a scenario: its steps from top to bottom, each with the status that it leads to and the events that it
// emits; alternatives and choices side by side.
import type { components } from '../../../src/client/control-api.d.ts';
import { wordsOf } from '../format.ts';

type Drawing = components['schemas']['ScenarioDrawing'];
type DrawnEntry = Drawing['timeline'][number];

interface Props {
  readonly drawing: Drawing;
  /** What parameters such as `$ring` stand for. */
  readonly parameters: Readonly<Record<string, string>>;
}

export function DrawingView({ drawing: { begins, timeline, choices }, parameters }: Props) {
  const offered = Object.entries(choices);
  return (
    <div class="drawing">
      <ol class="drawn">
        <li class="drawn-step">
          <span class="drawn-after">{timeline.length > 0 ? 'Start' : ''}</span>
          <span class={`instant-bar state-${begins.status}`} aria-hidden="true" />
          <Happening status={begins.status} trigger={null} events={begins.events} />
        </li>
        <Entries entries={timeline} parameters={parameters} />
      </ol>
      {offered.length > 0 && (
        <section class="alternatives" aria-label="What a person can choose">
          {offered.map(([name, entries]) => (
            <div key={name} class="alternative">
              <h4>If somebody chooses {wordsOf(name).toLowerCase()}</h4>
              <ol class="drawn">
                <Entries entries={entries} parameters={parameters} />
              </ol>
            </div>
          ))}
        </section>
      )}
    </div>
  );
}

interface EntriesProps {
  readonly entries: readonly DrawnEntry[];
  readonly parameters: Props['parameters'];
}

const Entries = ({ entries, parameters }: EntriesProps) => (
  <>
    {entries.map((entry, at) =>
      entry.branch ? (
        <li key={at} class="drawn-branch">
          <Branch branch={entry.branch} parameters={parameters} />
        </li>
      ) : (
        <li key={at} class="drawn-step">
          <span class="drawn-after">{afterOf(entry.after ?? '', parameters)}</span>
          <span class={`instant-bar state-${entry.to}`} aria-hidden="true" />
          <Happening status={entry.to ?? ''} trigger={entry.trigger ?? null} events={entry.events ?? []} />
        </li>
      ),
    )}
  </>
);

interface BranchProps {
  readonly branch: NonNullable<DrawnEntry['branch']>;
  readonly parameters: Props['parameters'];
}

function Branch({ branch, parameters }: BranchProps) {
  const total = branch.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <div class="alternatives">
      {branch.map(({ weight, timeline }, at) => (
        <div key={at} class="alternative">
          <h4>{Math.round((100 * weight) / total)} % of the time</h4>
          <ol class="drawn">
            <Entries entries={timeline} parameters={parameters} />
          </ol>
        </div>
      ))}
    </div>
  );
}

interface HappeningProps {
  readonly status: string;
  readonly trigger: string | null;
  readonly events: readonly string[];
}

const Happening = ({ status, trigger, events }: HappeningProps) => (
  <div class="drawn-what">
    <span>
      <strong>{wordsOf(status)}</strong>
      {trigger !== null && <span class="faint"> by {trigger}</span>}
    </span>
    {events.map((event) => (
      <code key={event}>{event}</code>
    ))}
  </div>
);

/** `+2s..4s`, with the parameter that says so. */
function afterOf(after: string, parameters: Props['parameters']): string {
  if (!after.startsWith('$')) return `+${after}`;
  const value = parameters[after.slice(1)];
  return value === undefined ? after : `+${value}`;
}
