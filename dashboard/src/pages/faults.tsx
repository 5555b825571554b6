// What goes wrong in this world: faults of requests, and plans of deliveries.
import { useState } from 'preact/hooks';
import type { Fault, FaultSpec } from '../../../src/client/shown.ts';
import { countOf, wordsOf } from '../format.ts';
import { SelectField } from '../parts/select-field.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useChanges } from '../parts/use-changes.ts';
import { useRead } from '../parts/use-read.ts';
import type { Feed } from '../state/feed.ts';
import { faultOf, troubles } from './fault-form.ts';
import { PlansPart } from './plans.tsx';

export function FaultsPage({ feed }: { readonly feed: Feed }) {
  const changes = useChanges();
  const { revision, isChanging, change } = changes;
  // How often each was met changes with every request.
  const again = `${revision} ${feed.requests.total.value} ${feed.isConnected.value}`;
  const read = useRead(feed.world, again, () => feed.control.all('listFaults', {}));
  return (
    <Sheet title="Faults and plans" about="What goes wrong with requests to the platform, and with its webhooks.">
      <section class="part" aria-label="Faults">
        <div class="card-head">
          <h2 class="part-title">Faults of requests</h2>
          {read.state === 'read' && read.value.length > 1 && (
            <button
              type="button"
              class="button button-small"
              disabled={isChanging}
              onClick={() => void change(() => feed.control.call('clearFaults'))}
            >
              Remove all
            </button>
          )}
        </div>
        <NewFault
          isDisabled={isChanging}
          onAdd={(made) => void change(async () => feed.control.call('setFaults', { body: made() }))}
        />
        {read.state === 'reading' && <Loading what="the faults" />}
        {read.state === 'failed' && <Failure error={read.error} />}
        {read.state === 'read' && read.value.length === 0 && (
          <Empty title="Nothing goes wrong">Add a fault, and requests that match it meet it from then on.</Empty>
        )}
        {read.state === 'read' && read.value.length > 0 && (
          <ul class="cards">
            {read.value.map((fault) => (
              <li key={fault.id} class="card">
                <FaultView
                  fault={fault}
                  isDisabled={isChanging}
                  onRemove={() => void change(() => feed.control.call('deleteFault', { path: { id: fault.id } }))}
                />
              </li>
            ))}
          </ul>
        )}
      </section>
      <PlansPart feed={feed} changes={changes} />
    </Sheet>
  );
}

interface NewFaultProps {
  readonly isDisabled: boolean;
  /** Takes what makes the fault of the form. */
  readonly onAdd: (made: () => FaultSpec) => void;
}

function NewFault({ isDisabled, onAdd }: NewFaultProps) {
  const [operation, setOperation] = useState('');
  const [trouble, setTrouble] = useState('internal_error');
  const [times, setTimes] = useState('');
  const [probability, setProbability] = useState('');
  function add(event: Event): void {
    event.preventDefault();
    onAdd(() => faultOf({ operation, trouble, times, probability }));
  }
  return (
    <form class="bar" onSubmit={add} aria-label="New fault">
      <SelectField label="What goes wrong" value={trouble} onValue={setTrouble} options={troubles} />
      <TextField label="Operation" value={operation} onValue={setOperation} placeholder="dialCall, list*, or all" />
      <TextField label="Times" value={times} onValue={setTimes} placeholder="always" />
      <TextField label="Probability" value={probability} onValue={setProbability} placeholder="1" />
      <button type="submit" class="button button-main" disabled={isDisabled}>
        Add
      </button>
    </form>
  );
}

interface FaultProps {
  readonly fault: Fault;
  readonly isDisabled: boolean;
  readonly onRemove: () => void;
}

function FaultView({ fault, isDisabled, onRemove }: FaultProps) {
  const { operation, method, path, probability, times, skip, nth, applied, matched } = fault;
  const where = [operation, method, path].filter((each) => each !== undefined).join(' ') || 'Every request';
  const limits = [
    probability < 1 ? `probability ${probability}` : '',
    times === undefined ? '' : countOf(times, 'time'),
    skip === undefined ? '' : `after ${skip}`,
    nth === undefined ? '' : `every ${nth}.`,
    fault.when === 'after' ? 'after the effect' : '',
  ].filter((text) => text !== '');
  return (
    <>
      <div class="card-head">
        <h3 class="card-title">{effectOf(fault)}</h3>
        <button
          type="button"
          class="button button-small"
          aria-label={`Remove ${effectOf(fault)}`}
          disabled={isDisabled}
          onClick={onRemove}
        >
          Remove
        </button>
      </div>
      <p>
        <code>{where}</code> <span class="faint">{limits.join(', ')}</span>
      </p>
      <p class="faint">
        Happened to {countOf(applied, 'request')} of {matched} that matched.
      </p>
    </>
  );
}

function effectOf({ error, fault, respond, latency, drift }: Fault): string {
  const effects = [
    error,
    fault === undefined ? undefined : `Connection: ${fault}`,
    respond === undefined ? undefined : `A gateway answers ${respond.status}`,
    latency === undefined ? undefined : `${latency} later`,
    drift?.map(wordsOf).join(', '),
  ];
  return effects.filter((each) => each !== undefined).join('; ');
}
