import { useEffect } from 'react';
import { useReturnedFocus } from './use-returned-focus.js';

/** Hides the page from screen readers while a dialog is open, so that it is not mistaken for the dialog. Returns the focus after it. */
export function useHiddenBackground(): void {
  useEffect(() => {
    const root = document.getElementById('root');
    root?.setAttribute('aria-hidden', 'true');
    return () => root?.removeAttribute('aria-hidden');
  }, []);
  // After the effect above, because nothing hidden can have the focus.
  useReturnedFocus();
}
