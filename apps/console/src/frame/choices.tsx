import { Checkbox, Input } from '@mantine/core';

type Props<Option extends string> = Readonly<{
  legend: string;
  options: readonly Option[];
  nameOf: (option: Option) => string;
  chosen: readonly Option[];
  error?: string | undefined;
  onChange: (chosen: Option[]) => void;
}>;

/** Check boxes of which several may be on. */
export function Choices<Option extends string>({ legend, options, nameOf, chosen, error, onChange }: Props<Option>) {
  const toggle = (option: Option) =>
    onChange(chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option]);
  return (
    <fieldset className="checks">
      <legend>{legend}</legend>
      {options.map((option) => (
        <Checkbox
          key={option}
          size="xs"
          label={nameOf(option)}
          checked={chosen.includes(option)}
          aria-invalid={error !== undefined}
          onChange={() => toggle(option)}
        />
      ))}
      {error !== undefined && <Input.Error className="choices-error">{error}</Input.Error>}
    </fieldset>
  );
}
