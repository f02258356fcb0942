import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from './failure.js';
import { useHiddenBackground } from './use-hidden-background.js';

type Props = Readonly<{
  title: string;
  apply: string;
  cancel: string;
  error: unknown;
  /** What to say if somebody else was faster. */
  stale?: string;
  busy: boolean;
  /** What it does cannot be undone. */
  isFinal?: boolean;
  onApply: () => void;
  onClose: () => void;
  children: ReactNode;
}>;

/** Says what will follow, and does it only after a confirmation. */
export function ConfirmDialog({
  title,
  apply,
  cancel,
  error,
  stale,
  busy,
  isFinal = false,
  onApply,
  onClose,
  children,
}: Props) {
  useHiddenBackground();
  return (
    <Modal opened onClose={onClose} title={title}>
      <div className="stack">
        <p>{children}</p>
        {error != null && <Failure error={error} {...(stale !== undefined && { stale })} />}
        <div className="row end">
          <Button variant="default" onClick={onClose} {...(isFinal && { 'data-autofocus': true })}>
            {cancel}
          </Button>
          <Button {...(isFinal && { color: 'red' })} loading={busy} onClick={onApply}>
            {apply}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
