// The API keys of a world: those that there are, a new one, and revoking one.
import { useState } from 'preact/hooks';
import type { CreatedKey, Key } from '../../../src/client/shown.ts';
import { countOf, dayOf, timeOf } from '../format.ts';
import { Copy } from '../parts/facts.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { Badge } from '../parts/status.tsx';
import type { useChanges } from '../parts/use-changes.ts';
import { useRead } from '../parts/use-read.ts';
import { say } from '../state/current.ts';
import type { Feed } from '../state/feed.ts';

interface Props {
  readonly feed: Feed;
  readonly changes: ReturnType<typeof useChanges>;
}

const forms = [
  ['usual', 'Usual scopes'],
  ['demo', 'Demo key'],
] as const;

export function KeysPart({ feed, changes: { revision, isChanging, change } }: Props) {
  const [form, setForm] = useState<string>('usual');
  const [made, setMade] = useState<CreatedKey | null>(null);
  const again = `${revision} ${feed.isConnected.value}`;
  const read = useRead(feed.world, again, () => feed.control.all('listKeys', {}));
  async function create(event: Event): Promise<void> {
    event.preventDefault();
    await change(async () => setMade(await feed.control.call('createKey', { body: { is_demo: form === 'demo' } })));
  }
  async function revoke(id: string): Promise<void> {
    if (await change(() => feed.control.call('revokeKey', { path: { id } }))) say('Revoked: requests with it are 401');
  }
  return (
    <section class="part" aria-label="Keys">
      <h2 class="part-title">Keys of {feed.world}</h2>
      <form class="bar" onSubmit={(event) => void create(event)} aria-label="New key">
        <SelectField label="New key" value={form} onValue={setForm} options={forms} />
        <button type="submit" class="button button-main" disabled={isChanging}>
          Create key
        </button>
      </form>
      {made && (
        <p class="made">
          The plaintext is shown once: <code class="id">{made.api_key}</code> <Copy text={made.api_key} label="Copy" />
        </p>
      )}
      {read.state === 'reading' && <Loading what="the keys" />}
      {read.state === 'failed' && <Failure error={read.error} />}
      {read.state === 'read' && (
        <ul class="cards">
          {read.value.map((key) => (
            <li key={key.id} class="card">
              <KeyView apiKey={key} isDisabled={isChanging} onRevoke={() => void revoke(key.id)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface KeyProps {
  readonly apiKey: Key;
  readonly isDisabled: boolean;
  readonly onRevoke: () => void;
}

function KeyView({ apiKey: { id, scopes, is_demo, requests_per_minute, revoked, created_at }, ...rest }: KeyProps) {
  return (
    <>
      <div class="card-head">
        <h3 class="card-title">
          <code class="id">{id}</code>
        </h3>
        {revoked ? (
          <Badge tone="quiet" text="Revoked" />
        ) : (
          <button
            type="button"
            class="button button-small"
            aria-label={`Revoke ${id}`}
            disabled={rest.isDisabled}
            onClick={rest.onRevoke}
          >
            Revoke
          </button>
        )}
      </div>
      <p class="faint">
        {is_demo ? 'Demo key, ' : ''}
        {requests_per_minute.toLocaleString('en-US')} requests a minute, made {dayOf(created_at)}, {timeOf(created_at)}
      </p>
      <details>
        <summary>{countOf(scopes.length, 'scope')}</summary>
        <ul class="tokens">
          {scopes.map((scope) => (
            <li key={scope}>
              <code>{scope}</code>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
