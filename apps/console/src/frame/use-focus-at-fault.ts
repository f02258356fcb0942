import { type RefObject, useEffect, useRef } from 'react';

/** For forms: after each try, also one that the server refused, the focus is at the first field that is not right. */
export function useFocusAtFault(
  isPending: boolean,
): Readonly<{ form: RefObject<HTMLFormElement | null>; focusFault: () => void }> {
  const form = useRef<HTMLFormElement>(null);
  // The faults are in the form once it is drawn again.
  const focusFault = () =>
    void requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  useEffect(() => {
    if (!isPending) focusFault();
  }, [isPending]);
  return { form, focusFault };
}
