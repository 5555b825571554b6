// The dial pad: a call to any number, with a scenario of one's choice, and what becomes of it.
import { useState } from 'preact/hooks';
import type { components } from '../../../src/client/control-api.d.ts';
import { platformClient } from '../api/access.ts';
import { phoneOf } from '../format.ts';
import { useRead } from '../parts/use-read.ts';
import { go, route } from '../route.ts';
import { sayError } from '../state/current.ts';
import type { Feed } from '../state/feed.ts';
import { CallDetail } from './call-detail.tsx';

const keys: readonly (readonly [string, string])[] = [
  ['1', ''],
  ['2', 'ABC'],
  ['3', 'DEF'],
  ['4', 'GHI'],
  ['5', 'JKL'],
  ['6', 'MNO'],
  ['7', 'PQRS'],
  ['8', 'TUV'],
  ['9', 'WXYZ'],
  ['+', ''],
  ['0', ''],
  ['⌫', ''],
];

/** Owned by every bundled world. */
const USUAL_FROM = '+14155550190';
const BY_NUMBER = '';

export function DialPage({ feed }: { readonly feed: Feed }) {
  const [to, setTo] = useState('+12125550100');
  const [from, setFrom] = useState(USUAL_FROM);
  const [scenario, setScenario] = useState(BY_NUMBER);
  const [parameters, setParameters] = useState('');
  const [isDialing, setDialing] = useState(false);
  const scenarios = useRead(feed.world, null, () => feed.control.all('listScenarios', { query: { kind: 'call' } }));
  const all = scenarios.state === 'read' ? scenarios.value : [];
  const chosen = all.find(({ name }) => name === scenario);
  const { id } = route.value;

  async function dial(event: Event): Promise<void> {
    event.preventDefault();
    setDialing(true);
    const name = [scenario, ...(parameters.trim() === '' ? [] : [parameters.trim()])].join(';');
    try {
      const answer = await platformClient(feed.world).call('dialCall', {
        body: { to_number: to.trim(), from_number: from.trim() },
        headers: { 'X-Sandbox-Scenario': scenario === BY_NUMBER ? undefined : name },
      });
      const { call_id } = 'data' in answer ? (answer.data as typeof answer) : answer;
      go({ id: call_id });
    } catch (error) {
      sayError(error);
    } finally {
      setDialing(false);
    }
  }

  const press = (key: string): void => setTo((digits) => (key === '⌫' ? digits.slice(0, -1) : digits + key));

  return (
    <div class="dial">
      <form class="pad" onSubmit={(event) => void dial(event)} aria-label="Dial pad">
        <h1 class="pad-title">Dial</h1>
        <label class="field pad-number">
          <span>To</span>
          <input
            inputMode="tel"
            autocomplete="off"
            spellcheck={false}
            value={to}
            onInput={({ currentTarget }) => setTo(currentTarget.value)}
          />
        </label>
        <fieldset class="keys" aria-label="Keys">
          {keys.map(([key, letters]) => (
            <button
              key={key}
              type="button"
              class="key"
              aria-label={key === '⌫' ? 'Delete the last digit' : key === '+' ? 'Plus' : undefined}
              onClick={() => press(key)}
            >
              <span>{key}</span>
              <small>{letters}</small>
            </button>
          ))}
        </fieldset>
        <label class="field">
          <span>What happens</span>
          <select value={scenario} onChange={({ currentTarget }) => setScenario(currentTarget.value)}>
            <option value={BY_NUMBER}>As the number says</option>
            {all.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <p class="pad-hint">{hintOf(chosen, to, all)}</p>
        {chosen && (
          <label class="field">
            <span>Parameters</span>
            <input
              placeholder={parametersOf(chosen) || 'none'}
              spellcheck={false}
              value={parameters}
              onInput={({ currentTarget }) => setParameters(currentTarget.value)}
            />
          </label>
        )}
        <label class="field">
          <span>From</span>
          <input
            inputMode="tel"
            autocomplete="off"
            spellcheck={false}
            value={from}
            onInput={({ currentTarget }) => setFrom(currentTarget.value)}
          />
        </label>
        <button type="submit" class="button button-main button-call" disabled={isDialing}>
          {isDialing ? 'Dialing…' : 'Call'}
        </button>
      </form>
      <section class="pane-main dial-result" aria-label="The call">
        {id === null ? (
          <div class="state">
            <p class="state-title">{phoneOf(to)}</p>
            <p class="state-text">The call and its timeline appear here as it runs.</p>
          </div>
        ) : (
          <CallDetail key={id} feed={feed} id={id} />
        )}
      </section>
    </div>
  );
}

type Scenario = components['schemas']['Scenario'];

/** What the choice means: the summary of the scenario, or of the one that belongs to a magic number. */
function hintOf(chosen: Scenario | undefined, to: string, all: readonly Scenario[]): string {
  if (chosen) return chosen.summary ?? '';
  const [, digits] = /^\+1\d{3}55501(\d\d)$/.exec(to.replaceAll(/[^+\d]/g, '')) ?? [];
  if (digits === undefined)
    return 'An ordinary number: someone answers. +1 212 555 0101 is busy, …0102 is not answered.';
  const magic = all.find((each) => each.numbers?.includes(digits));
  return magic?.summary ?? 'A number without a scenario: someone answers.';
}

const parametersOf = ({ parameters = {} }: Scenario): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(';');
