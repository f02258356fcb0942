import { useEffect, useState } from 'react';

/** Gives the focus back to where it was before a dialog. Mantine does it only for dialogs that stay in the page when they close. */
export function useReturnedFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
}
