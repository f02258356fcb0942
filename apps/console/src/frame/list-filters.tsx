import { type ReactNode, useRef } from 'react';
import { type FilterChoice, FilterSelect } from './filter-select.js';
import { useShortcuts } from './use-shortcuts.js';
import { useSearchText } from './use-search-text.js';

type Props = Readonly<{
  search: string;
  hint: string;
  choice: FilterChoice;
  q: string;
  chosen: string;
  /** Puts both into the address. */
  onShow: (q: string, chosen: string) => void;
  /** More filters of the list. */
  children?: ReactNode;
}>;

/** A box for text and one choice above a list. */
export function ListFilters({ search, hint, choice, q, chosen, onShow, children }: Props) {
  const { text, setText } = useSearchText(q, (asked) => onShow(asked, chosen));
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => field.current?.focus() });
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
      <FilterSelect {...choice} chosen={chosen} onChoose={(value) => onShow(q, value)} />
      {children}
    </div>
  );
}
