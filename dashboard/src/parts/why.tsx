// Why an outcome was chosen: the scenario that is played, and those that it outranked.
import type { components } from '../../../src/client/control-api.d.ts';
import { wordsOf } from '../format.ts';

type Choice = components['schemas']['ShownSelection'];

/** What would have selected a scenario. */
const sources: Readonly<Record<Choice['losers'][number]['source'], string>> = {
  header: 'the header',
  active: 'the active scenario',
  number: 'the number',
  named: 'the control request',
  default: 'the default',
  rules: 'the calling rules',
};

interface Props {
  readonly choice: Choice | null;
  readonly outcome: string;
}

export function Why({ choice, outcome }: Props) {
  if (!choice) return null;
  const { winner, losers } = choice;
  const parameters = Object.entries(winner.parameters).map(([name, value]) => `${name}=${value}`);
  return (
    <aside class="why" aria-label="Why this outcome">
      <p>
        <strong>{wordsOf(outcome)}</strong> because the scenario <code>{[winner.name, ...parameters].join(';')}</code>{' '}
        is played: {winner.reason}
        {/[.!?]$/.test(winner.reason) ? '' : '.'}
      </p>
      {losers.length > 0 && (
        <ul>
          {losers.map((loser) => (
            <li key={`${loser.source} ${loser.name}`}>
              not <code>{loser.name}</code> ({sources[loser.source]}): {loser.reason}
            </li>
          ))}
        </ul>
      )}
    </aside>
  );
}
