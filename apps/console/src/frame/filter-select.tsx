export type FilterChoice = Readonly<{ label: string; options: readonly (readonly [value: string, name: string])[] }>;

type Props = FilterChoice & Readonly<{ chosen: string; onChoose: (value: string) => void }>;

/** One choice above a list. */
export function FilterSelect({ label, options, chosen, onChoose }: Props) {
  return (
    <select aria-label={label} value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
