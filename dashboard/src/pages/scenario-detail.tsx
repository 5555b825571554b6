// One scenario: its summary, numbers and parameters, its drawing, what is said, and its file, which can be changed for this
// world.
import { useState } from 'preact/hooks';
import type { Scenario } from '../../../src/client/shown.ts';
import { DrawingView } from '../parts/drawing.tsx';
import { Block, Copy, type Fact, Facts } from '../parts/facts.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import type { useChanges } from '../parts/use-changes.ts';
import { useRead } from '../parts/use-read.ts';
import { go } from '../route.ts';
import { say } from '../state/current.ts';
import type { Feed } from '../state/feed.ts';
import { ScenarioEditor } from './scenario-editor.tsx';

interface Props {
  readonly feed: Feed;
  readonly name: string;
  readonly changes: ReturnType<typeof useChanges>;
}

const origins = {
  bundled: 'Part of Ringback',
  folder: 'A file of this server',
  world: 'This world alone has it',
} as const;

export function ScenarioDetail({ feed, name, changes }: Props) {
  const [isEditing, setEditing] = useState(false);
  const read = useRead(name, changes.revision, (signal) =>
    feed.control.call('getScenario', { path: { name }, signal }),
  );
  if (read.state === 'reading') return <Loading what="the scenario" />;
  if (read.state === 'failed') return <Failure error={read.error} />;
  const scenario = read.value;
  const isOwn = scenario.origin === 'world';

  if (isEditing) {
    return (
      <ScenarioEditor
        feed={feed}
        changes={changes}
        name={name}
        source={scenario.source ?? ''}
        onDone={() => setEditing(false)}
      />
    );
  }
  return (
    <article class="record">
      <header class="record-head">
        <div>
          <h2 class="break">{name}</h2>
          <p class="record-sub">{scenario.summary ?? scenario.error}</p>
        </div>
        <div class="record-actions">
          {isOwn && <RemoveButton feed={feed} name={name} changes={changes} />}
          <button type="button" class="button button-main" onClick={() => setEditing(true)}>
            {isOwn ? 'Edit' : 'Change for this world'}
          </button>
        </div>
      </header>
      <Content name={name} scenario={scenario} />
    </article>
  );
}

const Content = ({ name, scenario }: { readonly name: string; readonly scenario: Scenario }) => (
  <>
    {scenario.error !== null && <p class="problem">{scenario.error}</p>}
    <Facts facts={factsOf(scenario)} />
    {scenario.refuse && scenario.refuse.length > 0 && <Refusals refusals={scenario.refuse} />}
    {scenario.drawing && (scenario.timeline?.length ?? 0) > 0 && (
      <section class="part">
        <h3>What happens</h3>
        <DrawingView drawing={scenario.drawing} parameters={scenario.parameters ?? {}} />
      </section>
    )}
    {scenario.transcript && scenario.transcript.length > 0 && <Transcript lines={scenario.transcript} />}
    {scenario.source !== undefined && (
      <Block
        title={`${name}.yaml`}
        text={scenario.source}
        isExact
        tools={<Copy text={scenario.source} label="Copy" />}
      />
    )}
  </>
);

function RemoveButton({ feed, name, changes }: Props) {
  async function remove(): Promise<void> {
    const isRemoved = await changes.change(() => feed.control.call('deleteScenario', { path: { name } }));
    if (!isRemoved) return;
    say(`Removed ${name} from this world`);
    go({ id: null });
  }
  return (
    <button type="button" class="button" disabled={changes.isChanging} onClick={() => void remove()}>
      Remove
    </button>
  );
}

const Transcript = ({ lines }: { readonly lines: NonNullable<Scenario['transcript']> }) => (
  <section class="part">
    <h3>What is said</h3>
    <ol class="turns">
      {lines.map(({ role, text }, at) => (
        <li key={at} class={role === 'agent' ? 'turn turn-agent' : 'turn'}>
          <span class="turn-head">{role}</span>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  </section>
);

function factsOf(scenario: Scenario): Fact[] {
  const { kind, numbers = [], parameters = {}, origin } = scenario;
  const given = Object.entries(parameters);
  return [
    ...(kind === undefined ? [] : [{ name: 'Kind', value: kind }]),
    ...(scenario.default ? [{ name: 'Default', value: 'Plays unless another one is chosen' }] : []),
    ...(numbers.length === 0 ? [] : [{ name: 'Numbers', value: numbers.map((n) => `+1 … 555 01${n}`).join(', ') }]),
    ...given.map(([name, value]) => ({ name: `Parameter ${name}`, value: <code>{value}</code> })),
    ...(scenario.extends === undefined ? [] : [{ name: 'Extends', value: <code>{scenario.extends}</code> }]),
    { name: 'Where from', value: origins[origin] },
  ];
}

const Refusals = ({ refusals }: { readonly refusals: NonNullable<Scenario['refuse']> }) => (
  <section class="part">
    <h3>Refuses the request</h3>
    <ul class="plain">
      {refusals.map(({ code, times }, at) => (
        <li key={at}>
          <code>{code}</code>{' '}
          <span class="faint">{times === undefined ? 'always' : `${times} times, then goes on`}</span>
        </li>
      ))}
    </ul>
  </section>
);
