// A page in one column: a heading, and sections below it.
import type { ComponentChildren } from 'preact';

interface Props {
  readonly title: string;
  readonly about: string;
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

export const Sheet = ({ title, about, tools, children }: Props) => (
  <div class="sheet">
    <header class="sheet-head">
      <div>
        <h1>{title}</h1>
        <p class="record-sub">{about}</p>
      </div>
      {tools}
    </header>
    {children}
  </div>
);
