import { Button, Modal } from '@mantine/core';
import { useHiddenBackground } from './use-hidden-background.js';

type Props = Readonly<{
  words: Readonly<{ title: string; text: string; stay: string; leave: string }>;
  onStay: () => void;
  onLeave: () => void;
}>;

export function LeaveDialog({ words, onStay, onLeave }: Props) {
  useHiddenBackground();
  return (
    // Above every dialog, also the one of an expired session.
    <Modal opened onClose={onStay} title={words.title} zIndex={500}>
      <div className="stack">
        <p>{words.text}</p>
        <div className="row end">
          <Button variant="default" onClick={onLeave}>
            {words.leave}
          </Button>
          <Button onClick={onStay} data-autofocus>
            {words.stay}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
