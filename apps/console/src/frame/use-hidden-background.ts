import { useEffect } from 'react';
import { useReturnedFocus } from './use-returned-focus.js';

/** One may ask a question about another. */
let open = 0;

/** Hides the page from screen readers while a dialog is open, so that it is not mistaken for the dialog. Returns the focus after it. */
export function useHiddenBackground(): void {
  useEffect(() => {
    const root = document.getElementById('root');
    open += 1;
    root?.setAttribute('aria-hidden', 'true');
    return () => {
      open -= 1;
      if (open === 0) root?.removeAttribute('aria-hidden');
    };
  }, []);
  // After the effect above, because nothing hidden can have the focus.
  useReturnedFocus();
}
