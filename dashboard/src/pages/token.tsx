// Asks for the control token of a server that has one.
import { useState } from 'preact/hooks';

interface Props {
  readonly wasRefused: boolean;
  readonly onToken: (token: string | null) => void;
}

export function TokenPage({ wasRefused, onToken }: Props) {
  const [text, setText] = useState('');
  return (
    <main class="gate">
      <form
        class="gate-card"
        onSubmit={(event) => {
          event.preventDefault();
          if (text !== '') onToken(text);
        }}
      >
        <h1>This server has a control token</h1>
        <p>It is kept in this tab until you close it, and is never part of an address.</p>
        <label class="field">
          <span>Control token, or the control key of a world</span>
          <input
            type="password"
            autocomplete="off"
            value={text}
            aria-invalid={wasRefused}
            aria-describedby={wasRefused ? 'refused' : undefined}
            onInput={({ currentTarget }) => setText(currentTarget.value.trim())}
          />
        </label>
        {wasRefused && (
          <p id="refused" class="problem" role="alert">
            The server did not accept that one.
          </p>
        )}
        <button type="submit" class="button button-main">
          Open the dashboard
        </button>
      </form>
    </main>
  );
}
