import type { KeyboardEvent, RefObject } from 'react';
import { canBeAsked } from '../api/can-be-asked.js';
import { useSearchText } from '../frame/use-search-text.js';
import { ordersWords as words } from './orders-words.js';

type Props = Readonly<{ q: string; onSearch: (q: string) => void; field: RefObject<HTMLInputElement | null> }>;

/** Searches during typing. */
export function SearchBox({ q, onSearch, field }: Props) {
  const { text, setText, isShort, search } = useSearchText(q, onSearch, canBeAsked);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && text.trim() !== '') search();
    if (event.key === 'Escape') field.current?.blur();
  };
  return (
    <div className="search-box">
      <input
        ref={field}
        type="search"
        aria-label={words.search}
        aria-describedby="search-hint"
        placeholder={words.searchHint}
        value={text}
        maxLength={500}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span id="search-hint" className={isShort ? 'small soft' : 'visually-hidden'}>
        {isShort ? words.tooShort : words.searchHint}
      </span>
    </div>
  );
}
