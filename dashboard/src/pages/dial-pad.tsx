// The keys of the dial pad.
const keys: readonly (readonly [string, string])[] = [
  ['1', ''],
  ['2', 'ABC'],
  ['3', 'DEF'],
  ['4', 'GHI'],
  ['5', 'JKL'],
  ['6', 'MNO'],
  ['7', 'PQRS'],
  ['8', 'TUV'],
  ['9', 'WXYZ'],
  ['+', ''],
  ['0', ''],
  ['⌫', ''],
];

const names: Readonly<Record<string, string>> = { '⌫': 'Delete the last digit', '+': 'Plus' };

/** `change` gets what the number becomes from what it is by then: keys can come faster than the page is drawn. */
export const DialKeys = ({ change }: { readonly change: (next: (digits: string) => string) => void }) => (
  <fieldset class="keys" aria-label="Keys">
    {keys.map(([key, letters]) => (
      <button
        key={key}
        type="button"
        class="key"
        aria-label={names[key]}
        onClick={() => change((digits) => (key === '⌫' ? digits.slice(0, -1) : digits + key))}
      >
        <span>{key}</span>
        <small>{letters}</small>
      </button>
    ))}
  </fieldset>
);
