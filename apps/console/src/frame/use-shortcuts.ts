import { useEffect, useRef } from 'react';

type Actions = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const TYPING =
  'input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable], [role=dialog], [role=menu]';

/** True while the keys belong to a field, a menu or a dialog. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest(TYPING) !== null;
}

/** Single keys of a page. They do nothing during typing, nor with Ctrl, Alt or the command key. */
export function useShortcuts(actions: Actions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event)) return;
      const action = latest.current[event.key];
      if (!action) return;
      // Enter belongs to the link or button that has the focus.
      if (event.key === 'Enter' && event.target instanceof Element && event.target.closest('a, button')) return;
      event.preventDefault();
      action(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
