// What a bench finds: figures with a goal beside them, as a Markdown table, and as JSON to compare two commits by.

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

export const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)];

/** A figure: `goal` is `{ least }` or `{ most }`, or `{}` for what is only told; `detail` says what it was made of. */
export const figure = (name, value, unit, goal, detail = '') => ({ name, value, unit, goal, detail });

export const isMet = ({ value, goal: { least = -Infinity, most = Infinity } }) => value >= least && value <= most;

const shown = (value) => (Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3))));
const hasGoal = ({ goal: { least, most } }) => least !== undefined || most !== undefined;
const goalOf = ({ goal, unit }) => {
  if (!hasGoal({ goal })) return 'none';
  const [sign, value] = goal.least === undefined ? ['≤', goal.most] : ['≥', goal.least];
  return `${sign} ${value}${unit ? ` ${unit}` : ''}`;
};

/** Figures as a table; `before` are those of another run, by name. */
export function table(figures, before) {
  const heads = ['figure', 'value', 'goal', 'met', ...(before ? ['before'] : []), 'made of'];
  const rows = figures.map((each) => [
    each.name,
    `${shown(each.value)}${each.unit ? ` ${each.unit}` : ''}`,
    goalOf(each),
    hasGoal(each) ? (isMet(each) ? 'yes' : '**no**') : '',
    ...(before ? [before.has(each.name) ? shown(before.get(each.name)) : ''] : []),
    each.detail,
  ]);
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
