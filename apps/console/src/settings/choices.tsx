type Props = Readonly<{
  legend: string;
  options: readonly string[];
  nameOf: (option: string) => string;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}>;

/** Check boxes of which several may be on. */
export function Choices({ legend, options, nameOf, chosen, onChange }: Props) {
  const toggle = (option: string) =>
    onChange(chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option]);
  return (
    <fieldset className="checks">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option} className="choice">
          <input type="checkbox" checked={chosen.includes(option)} onChange={() => toggle(option)} />
          {nameOf(option)}
        </label>
      ))}
    </fieldset>
  );
}
