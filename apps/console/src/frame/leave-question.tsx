import { Button, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { frame } from '../words/frame.js';
import { lossOfPage, mayLeave, useLeaveQuestion } from './unsaved.js';
import { useHiddenBackground } from './use-hidden-background.js';

type Place = Readonly<{ pathname: string; search: object }>;

/** Filters, sort and version of a page are in its search, and its forms stay. Only the editor of a page goes with it. */
const formsOf = ({ pathname, search }: Place): string => `${pathname} ${'edit' in search}`;

/** Asks before the page goes away with something written in it: by a link, by the browser's buttons, or with the tab. */
export function LeaveQuestion() {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => formsOf(current) !== formsOf(next) && !(await mayLeave()),
    // The browser asks in words of its own.
    enableBeforeUnload: () => lossOfPage() !== undefined,
  });
  const question = useLeaveQuestion();
  if (!question) return null;
  const stay = () => question.answer(false);
  return <Question words={frame.leave[question.loss]} onStay={stay} onLeave={() => question.answer(true)} />;
}

type Props = Readonly<{
  words: Readonly<{ title: string; text: string; stay: string; leave: string }>;
  onStay: () => void;
  onLeave: () => void;
}>;

function Question({ words, onStay, onLeave }: Props) {
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
