import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { actionsQuery } from '../api/desk.js';
import { isUnderReview } from '../api/queues.js';
import { useNow } from '../frame/now.js';
import { OrderLink } from '../frame/order-link.js';
import { ShortId } from '../frame/short-id.js';
import { useShortcuts } from '../frame/use-shortcuts.js';
import { errorText } from '../words/error-text.js';
import { frame } from '../words/frame.js';
import { wordFor } from '../words/word-for.js';
import { queueWords } from './queue-words.js';
import type { Held, HeldAct } from './use-held-act.js';

const words = queueWords.held;

type Props = Readonly<{ acting: HeldAct; onUndone: (orderId: string) => void }>;

/** The act that is held back, with its ways out, and the acts that the server refused. */
export function HeldBar({ acting: { held, refusals, forget, undo, sendNow }, onUndone }: Props) {
  const takeBack = () => {
    const orderId = undo();
    if (orderId !== undefined) onUndone(orderId);
  };
  useShortcuts({ u: takeBack });
  return (
    <>
      {refusals.map(({ orderId, error }) => (
        <div key={orderId} className="alert refused" role="alert">
          <span>
            <OrderLink id={orderId} /> {words.refused(errorText(error))}
          </span>
          <Button variant="default" size="compact-xs" onClick={() => forget(orderId)}>
            {frame.close}
          </Button>
        </div>
      ))}
      <p role="status" className="visually-hidden">
        {held && words.says(wordOf(held), held.order.id)}
      </p>
      {held && (
        <div className="selection held" role="group" aria-label={words.label}>
          <HeldText held={held} />
          <Button variant="default" size="compact-sm" aria-keyshortcuts="u" onClick={takeBack}>
            {words.undo}
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => void sendNow()}>
            {words.sendNow}
          </Button>
        </div>
      )}
    </>
  );
}

const wordOf = ({ order }: Held): string => (isUnderReview(order) ? words.approving : words.confirming);

/** What the dialog of the same act would say, in short. */
function HeldText({ held }: Readonly<{ held: Held }>) {
  const { order, until } = held;
  const { data: actions } = useQuery(actionsQuery(order.id, order.version));
  const now = useNow(1_000);
  const action = ['approve', 'accept'].flatMap((name) => actions?.find((one) => one.action === name) ?? [])[0];
  const follows = action && [
    words.becomes(action.status_message ?? action.label),
    ...action.effects.flatMap((effect) => wordFor(words.effect, effect) ?? []),
  ];
  return (
    <span>
      {wordOf(held)} <ShortId id={order.id} />{' '}
      <span className="held-seconds">{words.in(secondsUntil(until, now))}</span>
      <span className="soft small held-follows">{follows?.join(' · ') ?? '\u00a0'}</span>
    </span>
  );
}

/** The shown time may be a second old. */
const secondsUntil = (until: number, now: number): number =>
  Math.max(1, Math.min(10, Math.ceil((until - now) / 1_000)));
