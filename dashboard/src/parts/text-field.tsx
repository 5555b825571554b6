// A labelled field for a line of text, such as a phone number.
interface Props {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly placeholder?: string;
  readonly className?: string;
  /** A phone number, for which phones show other keys. */
  readonly isNumber?: boolean;
}

export const TextField = ({ label, value, onValue, placeholder, className = '', isNumber = false }: Props) => (
  <label class={`field ${className}`}>
    <span>{label}</span>
    <input
      inputMode={isNumber ? 'tel' : 'text'}
      autocomplete="off"
      spellcheck={false}
      placeholder={placeholder ?? ''}
      value={value}
      onInput={({ currentTarget }) => onValue(currentTarget.value)}
    />
  </label>
);
