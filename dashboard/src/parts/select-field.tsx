// A labelled choice of one of several values.
interface Props {
  readonly label: string;
  readonly value: string;
  /** Values, or values and what they are shown as. */
  readonly options: readonly (string | readonly [string, string])[];
  readonly onValue: (value: string) => void;
}

export const SelectField = ({ label, value, options, onValue }: Props) => (
  <label class="field">
    <span>{label}</span>
    <select value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
      {options.map((option) => {
        const [key, name] = typeof option === 'string' ? [option, option] : option;
        return (
          <option key={key} value={key}>
            {name}
          </option>
        );
      })}
    </select>
  </label>
);
