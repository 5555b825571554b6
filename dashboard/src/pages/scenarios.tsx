// The scenarios of the world: what each does, drawn, and an editor for those of one's own.
import { useMemo } from 'preact/hooks';
import type { Scenario } from '../../../src/client/shown.ts';
import { FilterField, useFilter } from '../parts/filter.tsx';
import { Panes } from '../parts/panes.tsx';
import { RecordList } from '../parts/record-list.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { Mark } from '../parts/status.tsx';
import { useChanges } from '../parts/use-changes.ts';
import { useRead } from '../parts/use-read.ts';
import { go, route } from '../route.ts';
import type { Feed } from '../state/feed.ts';
import { ScenarioDetail } from './scenario-detail.tsx';
import { NewScenario } from './scenario-editor.tsx';

/** What the address has in place of a name while a scenario is written; no scenario can be called so. */
const NEW = '+';

interface Row extends Scenario {
  readonly id: string;
}

const textsOf = ({ name, summary = '', kind = '', numbers = [] }: Row): string[] => [name, summary, kind, ...numbers];

export function ScenariosPage({ feed }: { readonly feed: Feed }) {
  const changes = useChanges();
  const again = `${changes.revision} ${feed.isConnected.value}`;
  const read = useRead(feed.world, again, () => feed.control.all('listScenarios', {}));
  const all = read.state === 'read' ? read.value : none;
  const rows = useMemo(() => all.map((scenario): Row => ({ id: scenario.name, ...scenario })), [all]);
  const filter = useFilter(rows, textsOf);
  const { id } = route.value;
  return (
    <Panes
      title="Scenarios"
      count={read.state === 'read' ? String(filter.matching.length) : null}
      tools={
        <>
          <FilterField filter={filter} label="Filter the scenarios" placeholder="Name, number, what happens" />
          <button type="button" class="button" onClick={() => go({ id: NEW })}>
            New
          </button>
        </>
      }
      list={
        read.state === 'reading' ? (
          <Loading what="the scenarios" />
        ) : read.state === 'failed' ? (
          <Failure error={read.error} onRetry={() => void changes.change(async () => {})} />
        ) : filter.matching.length === 0 ? (
          <Empty title="No scenario matches">None has “{filter.text}” in its name, number, kind or summary.</Empty>
        ) : (
          <RecordList label="Scenarios by name" items={filter.matching} row={(row) => <ScenarioLine row={row} />} />
        )
      }
      detail={
        id === null ? null : id === NEW ? (
          <NewScenario feed={feed} changes={changes} />
        ) : (
          <ScenarioDetail key={id} feed={feed} name={id} changes={changes} />
        )
      }
      invitation="Choose a scenario to see what it does, or write one of your own."
    />
  );
}

const none: readonly Scenario[] = [];

function ScenarioLine({ row: { name, summary, kind, numbers = [], origin, error } }: { readonly row: Row }) {
  return (
    <>
      <Mark tone={error === null ? (origin === 'bundled' ? 'quiet' : 'live') : 'bad'} />
      <span class="row-main">
        <span class="row-title">{name}</span>
        <span class="row-sub">{error ?? summary}</span>
      </span>
      <span class="row-end">
        <span class="row-status">{numbers.length > 0 ? `…01${numbers.join(', ')}` : ''}</span>
        <span class="row-sub">{origin === 'bundled' ? kind : `${kind ?? 'broken'} · ${origin}`}</span>
      </span>
    </>
  );
}
