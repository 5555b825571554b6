// The assumptions: choices where the specification is silent, each with its words, its value in this world, and setting it.
import { useState } from 'preact/hooks';
import type { Assumption } from '../../../src/client/shown.ts';
import { countOf } from '../format.ts';
import { Sheet } from '../parts/sheet.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { useChanges } from '../parts/use-changes.ts';
import { useRead } from '../parts/use-read.ts';
import { say } from '../state/current.ts';
import type { Feed } from '../state/feed.ts';

const matches = ({ name, rule, words, used_in }: Assumption, text: string): boolean =>
  [name, rule, words, ...used_in].some((each) => each.toLowerCase().includes(text));

export function AssumptionsPage({ feed }: { readonly feed: Feed }) {
  const [filter, setFilter] = useState('');
  const { revision, isChanging, change } = useChanges();
  const again = `${revision} ${feed.isConnected.value}`;
  const read = useRead(feed.world, again, async () => (await feed.control.page('listAssumptions')).data);
  const wanted = filter.trim().toLowerCase();
  const set = async (name: string, value: Assumption['value']): Promise<void> => {
    const isSet = await change(() => feed.control.call('setAssumption', { path: { name }, body: { value } }));
    if (isSet) say(`${name} is ${value} in this world`);
  };
  if (read.state === 'reading') return <Loading what="the assumptions" />;
  if (read.state === 'failed') return <Failure error={read.error} onRetry={() => void change(async () => {})} />;
  const shown = wanted === '' ? read.value : read.value.filter((each) => matches(each, wanted));
  return (
    <Sheet
      title="Assumptions"
      about="What this sandbox does where the specification does not say, and what it stands in for."
      tools={
        <input
          class="filter"
          type="search"
          placeholder="Name, words, operation"
          aria-label="Filter the assumptions"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      }
    >
      {shown.length === 0 && <Empty title="No assumption matches">None has “{filter}” in its words.</Empty>}
      <ul class="cards">
        {shown.map((assumption) => (
          <li key={assumption.name} class="card">
            <AssumptionView assumption={assumption} isDisabled={isChanging} onSet={set} />
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

interface ViewProps {
  readonly assumption: Assumption;
  readonly isDisabled: boolean;
  readonly onSet: (name: string, value: Assumption['value']) => Promise<void>;
}

function AssumptionView({ assumption, isDisabled, onSet }: ViewProps) {
  const { name, value, rule, words, used_in } = assumption;
  const isOwn = value !== assumption.default;
  return (
    <>
      <div class="card-head">
        <h2 class="card-title">
          <code>{name}</code>
        </h2>
        <Value assumption={assumption} isDisabled={isDisabled} onSet={onSet} />
      </div>
      <p>{rule}</p>
      <blockquote class="words">{words}</blockquote>
      {isOwn && <p class="faint">Usually {assumption.default}.</p>}
      {used_in.length > 0 && (
        <details class="faint card-foot">
          <summary>Used in {countOf(used_in.length, 'place')}</summary>
          {used_in.join(', ')}
        </details>
      )}
    </>
  );
}

function Value({ assumption: { name, value, allowed }, isDisabled, onSet }: ViewProps) {
  const [text, setText] = useState(String(value));
  if (allowed === null) return <strong class="fixed-value">{String(value)}</strong>;
  if (Array.isArray(allowed)) {
    return (
      <select
        aria-label={`Value of ${name}`}
        value={String(value)}
        disabled={isDisabled}
        onChange={({ currentTarget }) => {
          const chosen = allowed.find((each) => String(each) === currentTarget.value);
          if (chosen !== undefined) void onSet(name, chosen);
        }}
      >
        {allowed.map((each) => (
          <option key={String(each)} value={String(each)}>
            {String(each)}
          </option>
        ))}
      </select>
    );
  }
  const hint = `${allowed.minimum} to ${allowed.maximum.toLocaleString('en-US')}${allowed.or ? `, or ${allowed.or}` : ''}`;
  return (
    <form
      class="joined"
      onSubmit={(event) => {
        event.preventDefault();
        void onSet(name, /^\d+$/.test(text.trim()) ? Number(text) : text.trim());
      }}
    >
      <input
        class="short"
        aria-label={`Value of ${name}, ${hint}`}
        title={hint}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" class="button" disabled={isDisabled}>
        Set
      </button>
    </form>
  );
}
