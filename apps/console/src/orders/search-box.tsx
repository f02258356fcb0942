import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { ordersWords as words } from '../words/orders.js';

const SHORTEST = 3;
const PAUSE_MS = 250;

type Props = Readonly<{ q: string; onSearch: (q: string) => void; field: RefObject<HTMLInputElement | null> }>;

/** Searches during typing, from three characters on. */
export function SearchBox({ q, onSearch, field }: Props) {
  const [text, setText] = useState(q);
  const searched = useRef(q);
  const search = (asked: string) => {
    searched.current = asked;
    onSearch(asked);
  };
  useEffect(() => {
    // The address follows what was typed, and somebody may have typed on, or a blank.
    if (q === searched.current) return;
    searched.current = q;
    setText(q);
  }, [q]);
  useEffect(() => {
    const asked = text.trim();
    if (asked === q || (asked.length > 0 && asked.length < SHORTEST)) return undefined;
    const timer = setTimeout(() => search(asked), PAUSE_MS);
    return () => clearTimeout(timer);
    // Only typing starts the pause. An address that changes meanwhile must not search again.
  }, [text]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && text.trim().length >= SHORTEST) search(text.trim());
    if (event.key === 'Escape') field.current?.blur();
  };
  const short = text.trim().length > 0 && text.trim().length < SHORTEST;
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
      <span id="search-hint" className={short ? 'small soft' : 'visually-hidden'}>
        {short ? words.tooShort : words.searchHint}
      </span>
    </div>
  );
}
