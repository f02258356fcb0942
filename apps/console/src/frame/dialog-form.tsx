import type { FormEvent, ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { Failure } from './failure.js';
import { FormButtons } from './form-buttons.js';
import { useFocusAtFault } from './use-focus-at-fault.js';

type Props = Readonly<{
  title: string;
  submit: string;
  cancel: string;
  /** What somebody can write in it. `null` if there is nothing to lose. */
  typed: unknown;
  /** What no field can say. */
  error: Error | null;
  /** What to say if somebody else was faster. */
  stale?: string;
  isPending: boolean;
  /** Nothing can be sent as it is. The fields say why. */
  disabled?: boolean;
  /** What is sent cannot be undone. */
  isFinal?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  /** Of the dialog; wider for more than one column. */
  size?: 'md' | 'lg';
  children: ReactNode;
}>;

/** A form in a dialog: its fields, what went wrong, and the two buttons. */
export function DialogForm({
  title,
  submit,
  cancel,
  typed,
  error,
  stale,
  isPending,
  disabled = false,
  isFinal = false,
  onSubmit,
  onClose,
  size = 'md',
  children,
}: Props) {
  const { form, focusFault } = useFocusAtFault(isPending);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (disabled) return;
    onSubmit();
    focusFault();
  };
  return (
    <Dialog title={title} size={size} typed={typed} isPending={isPending} onClose={onClose}>
      <form className="stack" ref={form} onSubmit={send} noValidate>
        {children}
        {error && <Failure error={error} {...(stale !== undefined && { stale })} />}
        <FormButtons cancel={cancel} submit={submit} isPending={isPending} disabled={disabled} isFinal={isFinal} />
      </form>
    </Dialog>
  );
}
