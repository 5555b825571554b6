// Names and values in two columns, text blocks, and a button that copies.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { pretty } from '../format.ts';

export interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
}

export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts.map(({ name, value }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

interface CopyProps {
  readonly text: string;
  readonly label: string;
}

const SAID_MS = 1600;

export function Copy({ text, label }: CopyProps) {
  const [said, setSaid] = useState<string | null>(null);
  async function copy(): Promise<void> {
    // Without a secure context, browsers have no clipboard.
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(copied ? 'Copied' : 'Select and copy it');
    setTimeout(() => setSaid(null), SAID_MS);
  }
  return (
    <button type="button" class="button button-small" onClick={() => void copy()}>
      {said ?? label}
    </button>
  );
}

interface BlockProps {
  readonly title: string;
  readonly text: string;
  /** Shown as it is, without indentation of JSON. */
  readonly isExact?: boolean;
  readonly tools?: ComponentChildren;
}

/** Text of any kind: it is never read as markup. */
export const Block = ({ title, text, isExact = false, tools }: BlockProps) => (
  <figure class="block">
    <figcaption>
      <span>{title}</span>
      {tools}
    </figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
    <pre tabIndex={0}>{text === '' ? <span class="faint">(empty)</span> : isExact ? text : pretty(text)}</pre>
  </figure>
);

export const Headers = ({
  title,
  headers,
}: {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
}) => (
  <Block
    title={title}
    isExact
    text={Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n')}
  />
);
