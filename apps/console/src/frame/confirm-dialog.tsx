import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { CancelButton, Dialog } from './dialog.js';
import { Failure } from './failure.js';

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
  return (
    <Dialog title={title} typed={null} isPending={busy} onClose={onClose}>
      <div className="stack">
        <p>{children}</p>
        {error != null && <Failure error={error} {...(stale !== undefined && { stale })} />}
        <div className="row end">
          <CancelButton hasFocus={isFinal}>{cancel}</CancelButton>
          <Button {...(isFinal && { color: 'red' })} data-action="apply" loading={busy} onClick={onApply}>
            {apply}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
