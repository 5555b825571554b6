// The scenarios of the world: what each does, drawn, and an editor for those of one's own.
import { useMemo, useState } from 'preact/hooks';
import type { Scenario } from '../../../src/client/shown.ts';
import { Panes } from '../parts/panes.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { Mark } from '../parts/status.tsx';
import { useChanges } from '../parts/use-changes.ts';
import { useRead } from '../parts/use-read.ts';
import { VirtualList } from '../parts/virtual-list.tsx';
import { go, route } from '../route.ts';
import type { Feed } from '../state/feed.ts';
import { ScenarioDetail } from './scenario-detail.tsx';
import { NewScenario } from './scenario-editor.tsx';

const ROW_PX = 60;
/** What the address has in place of a name while a scenario is written; no scenario can be called so. */
const NEW = '+';

interface Row extends Scenario {
  readonly id: string;
}

const matches = ({ name, summary = '', kind = '', numbers = [] }: Row, text: string): boolean =>
  [name, summary, kind, ...numbers].some((each) => each.toLowerCase().includes(text));

export function ScenariosPage({ feed }: { readonly feed: Feed }) {
  const [filter, setFilter] = useState('');
  const changes = useChanges();
  const again = `${changes.revision} ${feed.state.value === 'live'}`;
  const read = useRead(feed.world, again, () => feed.control.all('listScenarios', {}));
  const all = read.state === 'read' ? read.value : none;
  const wanted = filter.trim().toLowerCase();
  const rows = useMemo(() => {
    const named = all.map((scenario): Row => ({ id: scenario.name, ...scenario }));
    return wanted === '' ? named : named.filter((row) => matches(row, wanted));
  }, [all, wanted]);
  const { id } = route.value;
  return (
    <Panes
      title="Scenarios"
      count={read.state === 'read' ? String(rows.length) : null}
      tools={
        <>
          <input
            class="filter"
            type="search"
            placeholder="Name, number, what happens"
            aria-label="Filter the scenarios"
            value={filter}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
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
        ) : rows.length === 0 ? (
          <Empty title="No scenario matches">None has “{filter}” in its name, number, kind or summary.</Empty>
        ) : (
          <VirtualList
            label="Scenarios by name"
            items={rows}
            rowHeight={ROW_PX}
            selected={id}
            onSelect={(chosen) => go({ id: chosen })}
            row={(row) => <ScenarioLine row={row} />}
          />
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
