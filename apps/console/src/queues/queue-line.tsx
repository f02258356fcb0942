import type { Queue } from '#desk/queue.contract';
import type { QueuePart } from '../api/queues.js';
import { durationText } from '../words/durations.js';
import { number } from '../words/formats.js';
import { queueWords as words } from './queue-words.js';

type Props = Readonly<{
  queue: Queue | undefined;
  part: QueuePart;
  onShow: (part: QueuePart) => void;
  /** Missing for people who may not change it. */
  onEscalation?: () => void;
}>;

/** The name of the queue, the ways to its other lists, and when its orders are escalated. */
export function QueueLine({ queue, part, onShow, onEscalation }: Props) {
  const escalated = queue?.escalated ?? 0;
  // The snoozed orders of a custom queue are in the lists of the built-in queues.
  const snoozed = queue?.built_in ? queue.snoozed : 0;
  return (
    <div className="queue-line">
      <h2>{queue?.name ?? '\u00a0'}</h2>
      {part !== 'waiting' && (
        <button type="button" className="link-button small" onClick={() => onShow('waiting')}>
          {words.showWaiting}
        </button>
      )}
      {part !== 'snoozed' && (snoozed > 0 || queue?.built_in) && (
        <CountButton count={snoozed} text={words.snoozed(number(snoozed))} onClick={() => onShow('snoozed')} />
      )}
      {part !== 'escalated' && (escalated > 0 || queue?.escalation) && (
        <CountButton
          count={escalated}
          text={words.escalatedCount(number(escalated))}
          onClick={() => onShow('escalated')}
        />
      )}
      {queue && (
        <span className="escalation-line small soft">
          {escalationText(queue)}
          {onEscalation && (
            <button type="button" className="link-button" onClick={onEscalation}>
              {queue.escalation ? words.escalation.change : words.escalation.add}
            </button>
          )}
        </span>
      )}
    </div>
  );
}

/** Nothing to show is said too, so that the first one moves nothing. */
function CountButton({ count, text, onClick }: Readonly<{ count: number; text: string; onClick: () => void }>) {
  if (count === 0) return <span className="queue-part small soft">{text}</span>;
  return (
    <button type="button" className="queue-part link-button small" onClick={onClick}>
      {text}
    </button>
  );
}

/** Whether the time to its escalation begins with the due time of an order, and not when it comes into the queue. */
export const countsFromDueTime = ({ id, built_in: isBuiltIn }: Queue): boolean => !isBuiltIn || id === 'overdue';

function escalationText(queue: Queue): string {
  const { after_minutes: minutes, assignee_name: name, notify } = queue.escalation ?? {};
  if (typeof minutes !== 'number') return '';
  const { after, afterDue, to, tells } = words.escalation;
  const says = countsFromDueTime(queue) ? afterDue : after;
  return `${says(durationText(minutes * 60), name ? to(name) : '')}${notify ? tells(notify) : ''}`;
}
