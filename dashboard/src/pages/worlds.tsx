// The worlds of the server, and the API keys of the one that is shown.
import { useState } from 'preact/hooks';
import type { components } from '../../../src/client/control-api.d.ts';
import { controlClient } from '../api/access.ts';
import { wordsOf } from '../format.ts';
import { Copy, type Fact, Facts } from '../parts/facts.tsx';
import { SelectField } from '../parts/select-field.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useChanges } from '../parts/use-changes.ts';
import { useRead } from '../parts/use-read.ts';
import { go, hrefOf } from '../route.ts';
import { say } from '../state/current.ts';
import type { Feed } from '../state/feed.ts';
import { KeysPart } from './keys.tsx';

type World = components['schemas']['World'];
type CreatedWorld = components['schemas']['CreatedWorld'];

export function WorldsPage({ feed }: { readonly feed: Feed }) {
  const changes = useChanges();
  const { revision, isChanging, change } = changes;
  const [made, setMade] = useState<CreatedWorld | null>(null);
  const again = `${revision} ${feed.isConnected.value}`;
  const read = useRead('worlds', again, () => controlClient(null).all('listWorlds', {}));

  async function remove(name: string): Promise<void> {
    // Without a control token, the key of a world is what may delete it.
    const isRemoved = await change(() => controlClient(name).call('deleteWorld', { path: { name } }));
    if (isRemoved) say(`Deleted the world ${name}`);
    if (isRemoved && name === feed.world) go({ world: 'default', page: 'worlds', id: null });
  }
  async function reset(): Promise<void> {
    if (await change(() => feed.control.call('resetWorld'))) say(`${feed.world} is what its fixture says again`);
  }

  return (
    <Sheet
      title="Worlds"
      about="Each world is one organization with everything in it. The API key of a request decides which one it is about."
      tools={
        <button type="button" class="button" disabled={isChanging} onClick={() => void reset()}>
          Reset {feed.world}
        </button>
      }
    >
      <NewWorld
        isDisabled={isChanging}
        onCreate={(body) => change(async () => setMade(await controlClient(null).call('createWorld', { body })))}
      />
      {made && <Made world={made} />}
      {read.state === 'reading' && <Loading what="the worlds" />}
      {read.state === 'failed' && <Failure error={read.error} />}
      {read.state === 'read' && (
        <WorldList worlds={read.value} shown={feed.world} isDisabled={isChanging} onDelete={remove} />
      )}
      <KeysPart feed={feed} changes={changes} />
    </Sheet>
  );
}

interface ListProps {
  readonly worlds: readonly World[];
  /** The name of the world that the page shows. */
  readonly shown: string;
  readonly isDisabled: boolean;
  readonly onDelete: (name: string) => Promise<void>;
}

const WorldList = ({ worlds, shown, isDisabled, onDelete }: ListProps) => (
  <ul class="cards">
    {worlds.map((world) => (
      <li key={world.name} class="card">
        <WorldView
          world={world}
          isShown={world.name === shown}
          isDisabled={isDisabled}
          onDelete={() => void onDelete(world.name)}
        />
      </li>
    ))}
  </ul>
);

interface WorldProps {
  readonly world: World;
  readonly isShown: boolean;
  readonly isDisabled: boolean;
  readonly onDelete: () => void;
}

function WorldView({ world: { name, origin, fixture, clock }, isShown, isDisabled, onDelete }: WorldProps) {
  return (
    <>
      <div class="card-head">
        <h2 class="card-title">
          {isShown ? name : <a href={hrefOf({ world: name, page: 'worlds', id: null })}>{name}</a>}
        </h2>
        {isShown && <span class="badge">Shown</span>}
        {origin !== 'bundled' && (
          <button
            type="button"
            class="button button-small"
            aria-label={`Delete ${name}`}
            disabled={isDisabled}
            onClick={onDelete}
          >
            Delete
          </button>
        )}
      </div>
      <p class="faint">
        Fixture {fixture}, clock {clock}, {origins[origin]}
      </p>
    </>
  );
}

const origins = { bundled: 'bundled', posted: 'made by hand', auto: 'made by its first request' } as const;

interface NewWorldProps {
  readonly isDisabled: boolean;
  readonly onCreate: (body: { name?: string; clock?: string }) => Promise<boolean>;
}

function NewWorld({ isDisabled, onCreate }: NewWorldProps) {
  const [name, setName] = useState('');
  const [clock, setClock] = useState('');
  async function create(event: Event): Promise<void> {
    event.preventDefault();
    const body = { ...(name.trim() === '' ? {} : { name: name.trim() }), ...(clock === '' ? {} : { clock }) };
    if (await onCreate(body)) setName('');
  }
  return (
    <form class="bar" onSubmit={(event) => void create(event)} aria-label="New world">
      <TextField label="New world" value={name} onValue={setName} placeholder="world-1" />
      <SelectField
        label="Clock"
        value={clock}
        onValue={setClock}
        options={[
          ['', 'As the server'],
          ...['manual', 'real', '20x', 'instant'].map((mode) => [mode, wordsOf(mode)] as const),
        ]}
      />
      <button type="submit" class="button button-main" disabled={isDisabled}>
        Create
      </button>
    </form>
  );
}

function Made({ world }: { readonly world: CreatedWorld }) {
  const secret = (text: string) => (
    <>
      <code class="id">{text}</code> <Copy text={text} label="Copy" />
    </>
  );
  const facts: Fact[] = [
    { name: `API key of ${world.name}`, value: secret(world.api_key) },
    { name: 'Signing secret', value: secret(world.signing_secret) },
    ...(world.control_key === undefined ? [] : [{ name: 'Control key', value: secret(world.control_key) }]),
  ];
  return <Facts facts={facts} />;
}
