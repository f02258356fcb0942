import { Modal } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Failure } from './failure.js';
import { FormButtons } from './form-buttons.js';
import { useFocusAtFault } from './use-focus-at-fault.js';
import { useReturnedFocus } from './use-returned-focus.js';

type Props = Readonly<{
  title: string;
  submit: string;
  cancel: string;
  /** What no field can say. */
  error: Error | null;
  /** What to say if somebody else was faster. */
  stale?: string;
  isPending: boolean;
  /** Nothing can be sent as it is. The fields say why. */
  disabled?: boolean;
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
  error,
  stale,
  isPending,
  disabled = false,
  onSubmit,
  onClose,
  size = 'md',
  children,
}: Props) {
  useReturnedFocus();
  const { form, focusFault } = useFocusAtFault(isPending);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (disabled) return;
    onSubmit();
    focusFault();
  };
  return (
    <Modal opened onClose={onClose} title={title} size={size}>
      <form className="stack" ref={form} onSubmit={send} noValidate>
        {children}
        {error && <Failure error={error} {...(stale !== undefined && { stale })} />}
        <FormButtons cancel={cancel} submit={submit} isPending={isPending} disabled={disabled} onCancel={onClose} />
      </form>
    </Modal>
  );
}
