import { Button, Modal } from '@mantine/core';
import { createContext, type KeyboardEvent, type ReactNode, use } from 'react';
import { useEdited, useUnsaved } from './unsaved.js';
import { useHiddenBackground } from './use-hidden-background.js';

const Closing = createContext<() => void>(() => undefined);

/** Closes the dialog around it, after a question if something would be lost. */
export function CancelButton({ children, hasFocus = false }: Readonly<{ children: string; hasFocus?: boolean }>) {
  const close = use(Closing);
  return (
    <Button variant="default" data-action="cancel" onClick={close} {...(hasFocus && { 'data-autofocus': true })}>
      {children}
    </Button>
  );
}

/** From any field. In most of them, Enter alone does it too. */
function sendByKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>('[data-action=apply]')?.click();
}

type Props = Readonly<{
  title: string;
  /** Wider for more than one column. */
  size?: 'md' | 'lg' | 'xl';
  /** What somebody can write in it. `null` if there is nothing to lose. */
  typed: unknown;
  /** What was written is on its way. */
  isPending?: boolean;
  /** It has arrived, and the dialog shows what became of it. */
  isSent?: boolean;
  onClose: () => void;
  children: ReactNode;
}>;

/** A dialog that does not throw away what somebody has written in it: Escape, the cross and a click beside it ask first. */
export function Dialog({ title, size = 'md', typed, isPending = false, isSent = false, onClose, children }: Props) {
  useHiddenBackground();
  const isWritten = useEdited(typed) && !isSent;
  const leave = useUnsaved(isPending ? 'sending' : isWritten ? 'written' : undefined);
  const close = () => leave(onClose);
  return (
    <Modal opened onClose={close} title={title} size={size}>
      <div onKeyDown={sendByKey}>
        <Closing value={close}>{children}</Closing>
      </div>
    </Modal>
  );
}
