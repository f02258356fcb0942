import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 250;

/**
 * The text of a search box. It is searched a moment after typing, as soon as it can be asked. The address, whose part is `q`, follows it;
 * back and forward of the browser bring another text, and nothing else touches what somebody types.
 */
export function useSearchText(q: string, onSearch: (q: string) => void, isLongEnough = (_text: string) => true) {
  const router = useRouter();
  const [text, setText] = useState(q);
  const searched = useRef(q);
  const asked = text.trim();
  const isShort = asked.length > 0 && !isLongEnough(asked);
  const search = () => {
    if (isShort) return;
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
    if (asked === q || isShort) return undefined;
    const here = router.latestLocation.pathname;
    // This must not bring people back who are on their way to another page that is still loading.
    const timer = setTimeout(() => router.latestLocation.pathname === here && search(), PAUSE_MS);
    return () => clearTimeout(timer);
    // Only typing starts the pause. An address that changes meanwhile must not search again.
  }, [text]);
  return { text, setText, isShort, search };
}
