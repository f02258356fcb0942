import { Link } from '@tanstack/react-router';

type Props = Readonly<{
  label: string;
  options: readonly Readonly<{ id: string; name: string }>[];
  chosen: string;
  /** The query of the address of a choice. */
  searchOf: (id: string) => Readonly<Record<string, string>>;
}>;

/** Choices, one of which is on. Each has an address, so back and forward work. */
export function Segments({ label, options, chosen, searchOf }: Props) {
  return (
    <nav aria-label={label} className="segments">
      {options.map(({ id, name }) => (
        <Link
          key={id}
          to="."
          search={searchOf(id)}
          resetScroll={false}
          {...(id === chosen && { 'aria-current': 'true' as const })}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
