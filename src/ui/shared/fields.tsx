import type { ComponentChildren } from 'preact';

interface FieldProps {
  readonly label: ComponentChildren;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Class of the label. */
  readonly name?: string | undefined;
}

interface ChoiceProps extends FieldProps {
  /** Values, each with its text if that is not the value itself. */
  readonly options: readonly (string | readonly [value: string, text: ComponentChildren])[];
}

/** One of some values. */
export const Choice = ({ label, value, onChange, name, options }: ChoiceProps) => (
  <label class={name}>
    {label}{' '}
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {options.map((one) => {
        const [key, text] = typeof one === 'string' ? [one, one] : one;
        return (
          <option key={key} value={key}>
            {text}
          </option>
        );
      })}
    </select>
  </label>
);

const kinds = { text: { type: 'text' }, search: { type: 'search' } } as const;

interface TextFieldProps extends FieldProps {
  readonly kind?: keyof typeof kinds;
  /** Further attributes of the input. */
  readonly input?: {
    readonly [Name in 'id' | 'class' | 'placeholder' | 'inputMode']?: string;
  };
}

/** A line of text. */
export const TextField = ({
  label,
  value,
  onChange,
  name,
  input,
  kind = 'text',
}: TextFieldProps) => (
  <label class={name}>
    {label}{' '}
    <input
      {...input}
      {...kinds[kind]}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  </label>
);

interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly name?: string;
}

export const Checkbox = ({ label, checked, onChange, name }: CheckboxProps) => (
  <label class={name}>
    <input
      type="checkbox"
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />{' '}
    {label}
  </label>
);
