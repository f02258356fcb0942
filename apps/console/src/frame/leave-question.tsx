import { useBlocker } from '@tanstack/react-router';
import { frame } from '../words/frame.js';
import { soonPart } from './lazy-part.js';
import { lossOfPage, mayLeave, useLeaveQuestion } from './unsaved.js';

const LeaveDialog = soonPart(async () => (await import('./leave-dialog.js')).LeaveDialog);

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
  return <LeaveDialog words={frame.leave[question.loss]} onStay={stay} onLeave={() => question.answer(true)} />;
}
