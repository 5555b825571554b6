// A list and, beside it, the record that is selected in it; on a narrow screen one of the two.
import type { ComponentChildren } from 'preact';
import { go } from '../route.ts';

interface Props {
  readonly title: string;
  readonly count: string | null;
  readonly tools?: ComponentChildren;
  readonly list: ComponentChildren;
  /** Null if nothing is selected. */
  readonly detail: ComponentChildren | null;
  /** What to do, where nothing is selected. */
  readonly invitation: string;
}

export const Panes = ({ title, count, tools, list, detail, invitation }: Props) => (
  <div class={detail === null ? 'panes' : 'panes panes-detail'}>
    <section class="pane pane-list" aria-label={title}>
      <header class="pane-head">
        <h1>{title}</h1>
        {count !== null && <span class="count">{count}</span>}
        {tools}
      </header>
      {list}
    </section>
    <section class="pane pane-main" aria-label="Details">
      {detail === null ? (
        <div class="state">
          <p class="state-text">{invitation}</p>
        </div>
      ) : (
        <>
          <button type="button" class="button button-plain back" onClick={() => go({ id: null })}>
            ← {title}
          </button>
          {detail}
        </>
      )}
    </section>
  </div>
);
