import { useEffect } from 'react';

/** Hides the page from screen readers while a dialog is open, so that it is not mistaken for the dialog. */
export function useHiddenBackground(): void {
  useEffect(() => {
    const root = document.getElementById('root');
    root?.setAttribute('aria-hidden', 'true');
    return () => root?.removeAttribute('aria-hidden');
  }, []);
}
