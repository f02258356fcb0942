import { useEffect } from 'react';

/** While a dialog is open, the page behind it is not there for people who hear it: it must not be mistaken for the dialog. */
export function useHiddenBackground(): void {
  useEffect(() => {
    const root = document.getElementById('root');
    root?.setAttribute('aria-hidden', 'true');
    return () => root?.removeAttribute('aria-hidden');
  }, []);
}
