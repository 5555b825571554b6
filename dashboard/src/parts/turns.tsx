// What two parties say to each other, in its order, each with its time since the first.
import type { components } from '../../../src/contract/wire.d.ts';
import { offsetOf } from '../format.ts';

type Turn = components['schemas']['TranscriptTurn'];

export function TurnList({ turns }: { readonly turns: readonly Turn[] }) {
  const [first] = turns;
  return (
    <ol class="turns">
      {turns.map((turn, at) => (
        <li key={at} class={turn.role === 'agent' ? 'turn turn-agent' : 'turn'}>
          <span class="turn-head">
            <span>{turn.role}</span>
            <span class="faint">{offsetOf(first ? Date.parse(turn.timestamp) - Date.parse(first.timestamp) : 0)}</span>
          </span>
          <p>
            {turn.text}
            {turn.interrupted && <span class="faint"> (interrupted)</span>}
          </p>
        </li>
      ))}
    </ol>
  );
}
