import { Modal } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Failure } from './failure.js';
import { FormButtons } from './form-buttons.js';

type Props = Readonly<{
  title: string;
  submit: string;
  cancel: string;
  /** What no field can say. */
  error: Error | null;
  isPending: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}>;

/** A form in a dialog: its fields, what went wrong, and the two buttons. */
export function DialogForm({ title, submit, cancel, error, isPending, onSubmit, onClose, children }: Props) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Modal opened onClose={onClose} title={title}>
      <form className="stack" onSubmit={send} noValidate>
        {children}
        {error && <Failure error={error} />}
        <FormButtons cancel={cancel} submit={submit} isPending={isPending} onCancel={onClose} />
      </form>
    </Modal>
  );
}
