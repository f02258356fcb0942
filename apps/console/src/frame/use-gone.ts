import { useEffect } from 'react';

export type Sending = Readonly<{ isPending: boolean; isSuccess: boolean }>;

/**
 * Calls `onGone` when a colleague's act has made impossible what a dialog is about. While the dialog's own change is on its way, the order may
 * be as it is because of that.
 */
export function useGone(isGone: boolean, { isPending, isSuccess }: Sending, onGone: () => void): void {
  const isTold = isGone && !isPending && !isSuccess;
  useEffect(() => {
    if (isTold) onGone();
    // Once, whatever is drawn in between.
  }, [isTold]);
}
