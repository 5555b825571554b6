// The frame of every page: the world and its clock above, the pages beside them, and the state of the connection.
import type { ComponentChild } from 'preact';
import { useEffect } from 'preact/hooks';
import { readWorldName } from '../../src/identity/test-keys.ts';
import { keepToken } from './api/access.ts';
import { AssumptionsPage } from './pages/assumptions.tsx';
import { CallsPage } from './pages/calls.tsx';
import { CoveragePage } from './pages/coverage.tsx';
import { DeliveriesPage } from './pages/deliveries.tsx';
import { DialPage } from './pages/dial.tsx';
import { FaultsPage } from './pages/faults.tsx';
import { MessagesPage } from './pages/messages.tsx';
import { RequestsPage } from './pages/requests.tsx';
import { ScenariosPage } from './pages/scenarios.tsx';
import { TalkPage } from './pages/talk.tsx';
import { TokenPage } from './pages/token.tsx';
import { WorldsPage } from './pages/worlds.tsx';
import { ClockBar } from './parts/clock-bar.tsx';
import { RingingPhones } from './parts/phone.tsx';
import { Failure } from './parts/states.tsx';
import { WorldPicker } from './parts/world-picker.tsx';
import { hrefOf, type PageName, pages, route } from './route.ts';
import { feed, notice } from './state/current.ts';
import type { Feed } from './state/feed.ts';

const shown: Readonly<
  Record<PageName, { readonly name: string; page(props: { readonly feed: Feed }): ComponentChild }>
> = {
  calls: { name: 'Calls', page: CallsPage },
  messages: { name: 'Messages', page: MessagesPage },
  deliveries: { name: 'Deliveries', page: DeliveriesPage },
  requests: { name: 'Requests', page: RequestsPage },
  scenarios: { name: 'Scenarios', page: ScenariosPage },
  faults: { name: 'Faults', page: FaultsPage },
  coverage: { name: 'Coverage', page: CoveragePage },
  assumptions: { name: 'Assumptions', page: AssumptionsPage },
  worlds: { name: 'Worlds', page: WorldsPage },
  dial: { name: 'Dial', page: DialPage },
  talk: { name: 'Talk', page: TalkPage },
};

export function App() {
  const current = feed.value;
  const { world, page } = route.value;
  useEffect(() => {
    document.title = `${shown[page].name} · ${world} · Ringback`;
    // On a narrow screen, the pages are wider than it.
    document.querySelector('.tab[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [world, page, current !== null]);
  if (!current) return null;
  // The key of a world whose name cannot be one is refused too; the page says so.
  if (current.refused.value?.status === 401 && readWorldName(world) !== undefined)
    return <TokenPage wasRefused={current.token !== null} onToken={keepToken} />;
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={skip}>
        Skip to the page
      </button>
      <header class="top">
        <span class="brand">
          <span class="brand-mark" aria-hidden="true" />
          <span class="brand-name">Ringback</span>
        </span>
        <WorldPicker feed={current} />
        <ClockBar feed={current} />
      </header>
      <nav class="tabs" aria-label="Pages">
        {pages.map((name) => (
          <a
            key={name}
            href={hrefOf({ page: name, id: null })}
            aria-current={name === page ? 'page' : undefined}
            class={name === 'dial' ? 'tab tab-dial' : 'tab'}
          >
            {shown[name].name}
          </a>
        ))}
        <Connection feed={current} />
      </nav>
      <main id="main" class="main" tabIndex={-1}>
        <Body feed={current} page={page} />
      </main>
      <RingingPhones feed={current} />
      <Notices />
    </div>
  );
}

const skip = (): void => document.getElementById('main')?.focus();

function Body({ feed: current, page }: { readonly feed: Feed; readonly page: PageName }) {
  const error = current.refused.value ?? current.failure.value;
  if (error) return <Failure error={error} onRetry={() => location.reload()} />;
  const Page = shown[page].page;
  return <Page key={`${current.world}/${page}`} feed={current} />;
}

const words = { connecting: 'Connecting', live: 'Live', sampled: 'Sampled', lost: 'Reconnecting' } as const;
const SAMPLED = 'More happens than this page can follow: it shows the newest 100 of each kind, once a second.';

function Connection({ feed: { state } }: { readonly feed: Feed }) {
  return (
    <span
      class={`connection connection-${state.value}`}
      role="status"
      title={state.value === 'sampled' ? SAMPLED : undefined}
    >
      {words[state.value]}
    </span>
  );
}

function Notices() {
  const current = notice.value;
  return (
    <div class="notices" role="status" aria-live="polite">
      {current && <p class={current.isError ? 'notice notice-error' : 'notice'}>{current.text}</p>}
    </div>
  );
}
