import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { useKeys } from './use-keys.js';
import { useSearchText } from './use-search-text.js';

type Props = Readonly<{
  to: string;
  search: string;
  hint: string;
  /** The name of the choice in the address, and its values with their words. The first value is not written into the address. */
  choice: Readonly<{ name: string; label: string; options: readonly (readonly [value: string, name: string])[] }>;
}>;

/** The search text and the choice of a list, from its address. */
export function useListFilters(choice: string): Readonly<{ q: string; chosen: string }> {
  const search = useSearch({ strict: false });
  const text = (name: string) => (typeof search[name] === 'string' ? search[name] : '');
  return { q: text('q'), chosen: text(choice) };
}

/** A box for text and one choice above a list. */
export function ListFilters({ to, search, hint, choice }: Props) {
  const navigate = useNavigate();
  const { q, chosen } = useListFilters(choice.name);
  const show = (change: Readonly<Record<string, string>>) => {
    const filled = Object.entries({ q, [choice.name]: chosen, ...change }).filter(([, value]) => value !== '');
    void navigate({ to, search: Object.fromEntries(filled) as never });
  };
  const { text, setText } = useSearchText(q, (asked) => show({ q: asked }));
  const field = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => field.current?.focus() });
  return (
    <div className="filters">
      <input
        ref={field}
        type="search"
        aria-label={search}
        placeholder={hint}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <select
        aria-label={choice.label}
        value={chosen}
        onChange={({ currentTarget }) => show({ [choice.name]: currentTarget.value })}
      >
        {choice.options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
