// Writes a scenario of this world. What is written is checked as one types, by the server, which says what is wrong at which
// line, or draws what it does.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { components } from '../../../src/client/control-api.d.ts';
import { countOf } from '../format.ts';
import { DrawingView } from '../parts/drawing.tsx';
import { TextField } from '../parts/text-field.tsx';
import type { useChanges } from '../parts/use-changes.ts';
import { go } from '../route.ts';
import { say } from '../state/current.ts';
import type { Feed } from '../state/feed.ts';

type Check = components['schemas']['ScenarioCheck'];
type Fault = Check['faults'][number];

interface Props {
  readonly feed: Feed;
  readonly changes: ReturnType<typeof useChanges>;
  /** Empty for one that has no name yet. */
  readonly name: string;
  readonly source: string;
  readonly onDone: () => void;
}

const CHECK_MS = 150;

const example = `kind: call
summary: It rings for a while, and then nobody has answered.
parameters:
  ring: 20s
timeline:
  - { after: 500ms, trigger: ring }
  - { after: $ring, trigger: no_answer }
`;

export const NewScenario = ({ feed, changes }: Pick<Props, 'feed' | 'changes'>) => (
  <ScenarioEditor feed={feed} changes={changes} name="" source={example} onDone={() => go({ id: null })} />
);

export function ScenarioEditor({ feed, changes, name: given, source, onDone }: Props) {
  const [name, setName] = useState(given);
  const [text, setText] = useState(source);
  const { check, isChecking, problem } = useCheck(feed, name, text);
  const box = useRef<HTMLTextAreaElement>(null);
  const isFaulty = (check?.faults.length ?? 0) > 0;
  const isSound = check !== null && !isChecking && !isFaulty && problem === null && name !== '';

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    // The text as it is now: it can have changed since the page was drawn.
    const body = box.current?.value ?? text;
    // Text is taken as YAML, which the type of a body of JSON does not say.
    if (!(await changes.change(() => feed.control.call('putScenario', { path: { name }, body: body as never }))))
      return;
    say(`Saved ${name} in this world`);
    onDone();
    go({ id: name });
  }

  return (
    <form class="record editor" onSubmit={(event) => void save(event)} aria-label="Editor">
      <EditorHead name={given} canSave={isSound && !changes.isChanging} onCancel={onDone} />
      {given === '' && <TextField label="Name" value={name} onValue={setName} placeholder="slow_line" />}
      <label class="field">
        <span>Scenario file</span>
        <textarea
          ref={box}
          class="code"
          rows={Math.max(12, text.split('\n').length + 1)}
          spellcheck={false}
          autocomplete="off"
          value={text}
          aria-invalid={isFaulty}
          aria-describedby="faults"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <div id="faults" role="status" aria-live="polite">
        {problem !== null && <p class="problem">{problem}</p>}
        {problem === null && name === '' && <p class="faint">Give it a name to have it checked.</p>}
        {problem === null && name !== '' && (
          <CheckResult check={check} onSelect={(fault) => box.current && show(box.current, fault)} />
        )}
      </div>
      {check?.scenario && <Drawn scenario={check.scenario} />}
    </form>
  );
}

interface HeadProps {
  /** Empty for a new scenario. */
  readonly name: string;
  readonly canSave: boolean;
  readonly onCancel: () => void;
}

const EditorHead = ({ name, canSave, onCancel }: HeadProps) => (
  <header class="record-head">
    <h2>{name === '' ? 'New scenario' : name}</h2>
    <div class="record-actions">
      <button type="button" class="button" onClick={onCancel}>
        Cancel
      </button>
      <button type="submit" class="button button-main" disabled={!canSave}>
        Save
      </button>
    </div>
  </header>
);

const Drawn = ({ scenario }: { readonly scenario: NonNullable<Check['scenario']> }) =>
  scenario.drawing && (
    <section class="part">
      <h3>What happens</h3>
      <DrawingView drawing={scenario.drawing} parameters={scenario.parameters ?? {}} />
    </section>
  );

interface ResultProps {
  /** Null until there is one. */
  readonly check: Check | null;
  readonly onSelect: (fault: Fault) => void;
}

function CheckResult({ check, onSelect }: ResultProps) {
  if (check === null) return <p class="faint">Checking…</p>;
  if (check.faults.length === 0) return <p class="tone-good">Nothing is wrong with it.</p>;
  return <FaultList faults={check.faults} onSelect={onSelect} />;
}

interface FaultListProps {
  readonly faults: readonly Fault[];
  readonly onSelect: (fault: Fault) => void;
}

const FaultList = ({ faults, onSelect }: FaultListProps) => (
  <>
    <p class="tone-bad">{countOf(faults.length, 'problem')}</p>
    <ul class="faults">
      {faults.map((fault, at) => (
        <li key={at}>
          <button type="button" class="fault" onClick={() => onSelect(fault)}>
            <span class="fault-place">
              Line {fault.line}
              {fault.column > 0 && `, column ${fault.column}`}
            </span>
            <span>
              {fault.field !== '' && <code>{fault.field}</code>} {fault.reason}
            </span>
          </button>
        </li>
      ))}
    </ul>
  </>
);

/** Puts the cursor where a fault is. */
function show(box: HTMLTextAreaElement, { line, column }: Fault): void {
  const before = box.value.split('\n').slice(0, line - 1);
  const at = before.reduce((sum, text) => sum + text.length + 1, 0) + Math.max(0, column - 1);
  box.focus();
  box.setSelectionRange(at, at);
}

interface Checked {
  /** The latest one; null until there is one. */
  readonly check: Check | null;
  /** Whether the text has changed since. */
  readonly isChecking: boolean;
  /** Why it could not be checked. */
  readonly problem: string | null;
}

function useCheck(feed: Feed, name: string, text: string): Checked {
  const [result, setResult] = useState<{ readonly of: string; readonly check: Check | null; problem: string | null }>({
    of: '',
    check: null,
    problem: null,
  });
  const key = `${name}\n${text}`;
  const isLive = feed.isConnected.value;
  useEffect(() => {
    if (name === '' || !isLive) return;
    const gone = new AbortController();
    const timer = setTimeout(() => {
      // Text is taken as YAML, which the type of a body of JSON does not say.
      feed.control.call('checkScenario', { path: { name }, body: text as never, signal: gone.signal }).then(
        (check) => setResult({ of: key, check, problem: null }),
        (error) => {
          if (!gone.signal.aborted)
            setResult({ of: key, check: null, problem: error instanceof Error ? error.message : String(error) });
        },
      );
    }, CHECK_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [key, isLive]);
  return { check: result.check, isChecking: result.of !== key, problem: result.problem };
}
