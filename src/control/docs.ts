// Pages for people: the error reference that every `doc_url` points to, generated from the error catalogue, and the contract.
// The build shows the same sections among the pages of the reference (reference/build.js).
import { loadContract } from '../contract/document.ts';
import { type AnyCode, allErrors, categoryOnCalls, type ErrorRow } from '../errors/catalogue.ts';
import { keysOf } from '../typed-keys.ts';

export { allErrors, keysOf };

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('`', '');

const style = `
  :root { color-scheme: light dark; --line: #8884; --soft: #8882; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 6rem; }
  h1 { font-size: 1.6rem; } h2 { font: 600 1.1rem ui-monospace, monospace; margin: 0; }
  section { border-top: 1px solid var(--line); padding: 1rem 0.75rem; scroll-margin-top: 1rem; }
  section:target { background: var(--soft); outline: 2px solid currentColor; outline-offset: -2px; border-radius: 4px; }
  p { margin: 0.4rem 0; } dl { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; margin: 0.4rem 0; font-size: 0.9rem; }
  dl div { display: flex; gap: 0.4rem; } dt { opacity: 0.65; } dd { margin: 0; } a { color: inherit; }
  code { font-family: ui-monospace, monospace; }`;

/** What was answered or delivered with an error, by its code. */
type ErrorExamples = ReadonlyMap<string, unknown>;

function sectionOf(code: AnyCode, examples: ErrorExamples): string {
  const row: ErrorRow = allErrors[code];
  const onCalls = categoryOnCalls(code);
  const category = row.category ?? (onCalls && `${onCalls}, on requests that place calls`);
  const facts = [
    { name: 'HTTP', value: row.status === undefined ? 'on the call resource only' : String(row.status) },
    ...(category ? [{ name: 'category', value: category }] : []),
    { name: 'retryable', value: row.retryable ? 'yes' : 'no' },
  ];
  const list = facts.map(({ name, value }) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('');
  const meaning = row.meaning.charAt(0).toUpperCase() + row.meaning.slice(1);
  return `<section id="${code}"><h2><a href="#${code}">${code}</a></h2><dl>${list}</dl><p>${escaped(meaning)}.</p>
<p><strong>What to do.</strong> ${escaped(row.hint)}</p>${exampleOf(examples.get(code))}</section>`;
}

const exampleOf = (example: unknown): string =>
  example === undefined ? '' : `<pre tabindex="0"><code>${escaped(JSON.stringify(example, null, 2))}</code></pre>`;

/** The text of the error reference; each code has its own anchor. */
export function errorSections(examples: ErrorExamples): string {
  return `<h1>Error reference</h1>
<p>Every error has the envelope <code>{ "error": { code, message, resolution_hint?, fields?, doc_url?, category? } }</code>.
Branch on <code>code</code>, never on <code>message</code>. Codes without an HTTP status appear as <code>failure_code</code>
on a call that has ended.</p>
${keysOf(allErrors)
  .map((code) => sectionOf(code, examples))
  .join('\n')}`;
}

/** The error reference as a page of its own, where the reference has not been built. */
export const errorsPage =
  (): string => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Error reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head><body>
${errorSections(new Map())}
</body></html>
`;

export const contractText = (): string => loadContract().text;
