// The pad: a call or a text to any number, or from outside to a number of the world, with a scenario of one's choice, and
// what becomes of it.
import { useState } from 'preact/hooks';
import { phoneOf } from '../format.ts';
import { SelectField } from '../parts/select-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useRead } from '../parts/use-read.ts';
import { go, route } from '../route.ts';
import { sayError } from '../state/current.ts';
import type { Feed } from '../state/feed.ts';
import { CallDetail } from './call-detail.tsx';
import { DialKeys } from './dial-pad.tsx';
import { type Direction, place } from './dial-place.ts';
import { hintOf, isPlayable, type Offer, parametersOf } from './dial-scenarios.ts';
import { MessageDetail } from './message-detail.tsx';

const directions: readonly (readonly [Direction, string])[] = [
  ['call', 'Call'],
  ['text', 'Text'],
  ['inbound-call', 'Be called'],
  ['inbound-text', 'Be texted'],
];

/** Owned by every bundled world. */
const OWN_NUMBER = '+14155550190';
const OTHER_NUMBER = '+12125550100';
const BY_NUMBER = '';

const buttons: Readonly<Record<Direction, readonly [string, string]>> = {
  call: ['Call', 'Dialing…'],
  text: ['Send', 'Sending…'],
  'inbound-call': ['Ring', 'Ringing…'],
  'inbound-text': ['Send', 'Sending…'],
};

export function DialPage({ feed }: { readonly feed: Feed }) {
  const [direction, setDirection] = useState<Direction>('call');
  const [own, setOwn] = useState(OWN_NUMBER);
  const [other, setOther] = useState(OTHER_NUMBER);
  const [text, setText] = useState('Is tomorrow at ten fine?');
  const [isPlacing, setPlacing] = useState(false);
  const [placed, setPlaced] = useState({ id: '', isText: false });
  const choice = useChoice(feed, direction === 'text' ? 'sms' : 'call');
  const isInbound = direction === 'inbound-call' || direction === 'inbound-text';
  const isText = direction === 'text' || direction === 'inbound-text';
  function turn(to: Direction): void {
    setDirection(to);
    choice.clear();
  }

  async function send(event: Event): Promise<void> {
    event.preventDefault();
    setPlacing(true);
    try {
      const numbers = { own: own.trim(), other: other.trim() };
      const made = await place(feed, direction, { ...numbers, text, scenario: choice.reference });
      setPlaced({ id: made, isText });
      // A user who has gone to another page meanwhile stays there.
      if (route.value.page === 'dial' && route.value.world === feed.world) go({ id: made });
    } catch (error) {
      sayError(error);
    } finally {
      setPlacing(false);
    }
  }

  const [action, acting] = buttons[direction];
  return (
    <div class="dial">
      <form class="pad" onSubmit={(event) => void send(event)} aria-label="Dial pad">
        <h1 class="visually-hidden">Dial</h1>
        <DirectionField direction={direction} onDirection={turn} />
        <TextField label={isInbound ? 'From' : 'To'} value={other} onValue={setOther} className="pad-number" isNumber />
        {isText ? <MessageField text={text} onText={setText} /> : <DialKeys change={setOther} />}
        {direction !== 'inbound-text' && <ScenarioFields choice={choice} other={other} isInbound={isInbound} />}
        <TextField label={isInbound ? 'To' : 'From'} value={own} onValue={setOwn} isNumber />
        <button type="submit" class="button button-main button-call" disabled={isPlacing}>
          {isPlacing ? acting : action}
        </button>
      </form>
      <Result feed={feed} placed={placed} isText={isText} number={other} />
    </div>
  );
}

interface ResultProps {
  readonly feed: Feed;
  /** What this page has placed last. */
  readonly placed: { readonly id: string; readonly isText: boolean };
  /** Whether a text is to be placed next. */
  readonly isText: boolean;
  readonly number: string;
}

function Result({ feed, placed, isText, number }: ResultProps) {
  const { id } = route.value;
  const isMessage = placed.id === id ? placed.isText : id !== null && feed.messages.find(id) !== undefined;
  return (
    <section class="pane-main dial-result" aria-label={(id === null ? isText : isMessage) ? 'The message' : 'The call'}>
      {id === null ? (
        <Invitation number={number} />
      ) : isMessage ? (
        <MessageDetail key={id} feed={feed} id={id} />
      ) : (
        <CallDetail key={id} feed={feed} id={id} />
      )}
    </section>
  );
}

interface Choice {
  readonly all: readonly Offer[];
  /** Undefined where the number decides. */
  readonly chosen: Offer | undefined;
  readonly parameters: string;
  /** The chosen scenario with its parameters. */
  readonly reference: string | undefined;
  readonly setName: (name: string) => void;
  readonly setParameters: (text: string) => void;
  readonly clear: () => void;
}

/** The scenario that is chosen for what is placed next. */
function useChoice(feed: Feed, kind: 'call' | 'sms'): Choice {
  const [name, setName] = useState(BY_NUMBER);
  const [parameters, setParameters] = useState('');
  const scenarios = useRead(`${feed.world} ${kind}`, null, () =>
    feed.control.all('listScenarios', { query: { kind } }),
  );
  const all: readonly Offer[] = scenarios.state === 'read' ? scenarios.value : [];
  const chosen = all.find((offer) => offer.name === name);
  const reference = chosen && [chosen.name, ...(parameters.trim() === '' ? [] : [parameters.trim()])].join(';');
  const clear = (): void => {
    setName(BY_NUMBER);
    setParameters('');
  };
  return { all, chosen, parameters, reference, setName, setParameters, clear };
}

interface DirectionProps {
  readonly direction: Direction;
  readonly onDirection: (direction: Direction) => void;
}

const DirectionField = ({ direction, onDirection }: DirectionProps) => (
  <fieldset class="segments" aria-label="What to do">
    {directions.map(([value, label]) => (
      <label key={value} class="segment-choice">
        <input type="radio" name="direction" checked={direction === value} onChange={() => onDirection(value)} />
        <span>{label}</span>
      </label>
    ))}
  </fieldset>
);

interface ScenarioProps {
  readonly choice: Choice;
  readonly other: string;
  readonly isInbound: boolean;
}

const ScenarioFields = ({ choice: { all, chosen, parameters, ...choice }, other, isInbound }: ScenarioProps) => (
  <>
    <SelectField
      label="What happens"
      value={chosen?.name ?? BY_NUMBER}
      onValue={choice.setName}
      options={[
        [BY_NUMBER, isInbound ? 'An agent answers' : 'As the number says'],
        ...all.filter((offer) => !isInbound || isPlayable(offer)).map((offer) => offer.name),
      ]}
    />
    {(chosen || !isInbound) && <p class="pad-hint">{hintOf(chosen, other, all)}</p>}
    {chosen && parametersOf(chosen) !== '' && (
      <TextField
        label="Parameters"
        value={parameters}
        onValue={choice.setParameters}
        placeholder={parametersOf(chosen)}
      />
    )}
  </>
);

const MessageField = ({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) => (
  <label class="field">
    <span>Text</span>
    <textarea rows={3} value={text} onInput={({ currentTarget }) => onText(currentTarget.value)} />
  </label>
);

const Invitation = ({ number }: { readonly number: string }) => (
  <div class="state">
    <p class="state-title">{phoneOf(number)}</p>
    <p class="state-text">What becomes of it appears here as it happens.</p>
  </div>
);
