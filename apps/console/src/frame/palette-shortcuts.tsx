import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { paletteWords } from './palette-words.js';
import { ShortcutList } from './shortcut-list.js';
import { useNavigation } from './navigation.js';
import { onPaletteAsked } from './palette-button.js';
import { rememberOrder } from './recent-orders.js';
import { isTyping } from './use-shortcuts.js';
import { lazyPart } from './lazy-part.js';

const CommandPalette = lazyPart(async () => (await import('./command-palette.js')).CommandPalette);

/** How long `g` waits for the second key. */
const SEQUENCE_MS = 1_500;
const ORDER = /^\/orders\/([^/]+)$/;

/** Simulates the key, so that a page with its own keys shows them too. */
const pressHelp = () =>
  setTimeout(() =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true, cancelable: true })),
  );

/** The keys of every page: the command palette, and `g` with a second key for each page. */
export function PaletteShortcuts() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const navigation = useNavigation();
  const [isOpen, setOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  const goneAt = useRef(-Infinity);
  const opener = useRef<Element | null>(null);

  useEffect(() => {
    const [, id] = ORDER.exec(pathname) ?? [];
    if (id !== undefined) rememberOrder(decodeURIComponent(id));
  }, [pathname]);
  const open = () => {
    opener.current = document.activeElement;
    setOpen(true);
  };
  useEffect(() => onPaletteAsked(open), []);
  useEffect(() => {
    const consume = (event: KeyboardEvent) => {
      event.preventDefault();
      // The page has keys of its own.
      event.stopPropagation();
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (isCommand && event.key.toLowerCase() === 'k') {
        consume(event);
        open();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      const isSecond = event.timeStamp - goneAt.current < SEQUENCE_MS;
      goneAt.current = event.key === 'g' && !isSecond ? event.timeStamp : -Infinity;
      const to = isSecond ? navigation.find(({ go }) => go?.key === event.key)?.to : undefined;
      if (to !== undefined) {
        consume(event);
        void navigate({ to });
      } else if (event.key === '/' && !document.querySelector('input[type=search]')) {
        consume(event);
        open();
      }
    };
    const onUnusedKey = (event: KeyboardEvent) => {
      if (event.key === '?' && !event.defaultPrevented && !isTyping(event)) setHelpOpen(true);
    };
    // Before the keys of the page, and after them.
    window.addEventListener('keydown', onKeyDown, true);
    window.addEventListener('keydown', onUnusedKey);
    return () => {
      window.removeEventListener('keydown', onKeyDown, true);
      window.removeEventListener('keydown', onUnusedKey);
    };
  }, [navigate]);
  const close = () => {
    setOpen(false);
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  return (
    <>
      {isOpen && <CommandPalette onClose={close} onShowKeys={pressHelp} />}
      <ShortcutList keys={paletteWords.usual} opened={helpOpen} onClose={() => setHelpOpen(false)} />
    </>
  );
}
