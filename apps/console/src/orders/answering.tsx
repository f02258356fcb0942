import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import type { OrderSummary } from '#orders/order.contract';
import { may, sessionQuery } from '../api/session.js';
import { useShortcuts } from '../frame/use-shortcuts.js';
import { lazyPart } from '../frame/lazy-part.js';
import { answerWords as words } from '../words/answers.js';

type Answer = 'accept' | 'deny';
type Ask = (orderId: string, answer: Answer) => void;

const AnswerDialog = lazyPart(async () => (await import('../order/answer-dialog.js')).AnswerDialog);

type Answering = Readonly<{
  /** Opens the dialog of an answer; null for people who may not answer. */
  ask: Ask | null;
  isOff: boolean;
}>;

const Answering = createContext<Answering>({ ask: null, isOff: true });

type Props = Readonly<{
  active: OrderSummary | undefined;
  /** The rows answer an earlier question. */
  isOff?: boolean;
  /** Told which order has its answer. */
  onAnswered?: (orderId: string) => void;
  /** What the key `a` does in place of the dialog. */
  onAccept?: () => void;
  children: ReactNode;
}>;

/** Lets people answer for the broker without leaving the list: by the buttons of a row, or by `a` and `d` on the active one. */
export function AnswerProvider({ active, isOff = false, onAnswered, onAccept, children }: Props) {
  const { data: session } = useQuery(sessionQuery);
  const mayAnswer = may(session, 'orders:act');
  const [asked, setAsked] = useState<Readonly<{ orderId: string; answer: Answer }> | null>(null);
  const [news, setNews] = useState('');
  const answering = useMemo(
    () => ({ ask: mayAnswer ? (orderId: string, answer: Answer) => setAsked({ orderId, answer }) : null, isOff }),
    [mayAnswer, isOff],
  );
  const askActive = (answer: Answer) => () => {
    if (active?.status?.status === 'pending' && !isOff) answering.ask?.(active.id, answer);
  };
  // A key that is held down answers one order.
  const accept = (event: KeyboardEvent) => event.repeat || onAccept?.();
  useShortcuts({ a: onAccept && mayAnswer ? accept : askActive('accept'), d: askActive('deny') });
  return (
    <Answering value={answering}>
      {children}
      <p role="status" className="visually-hidden">
        {news}
      </p>
      {asked && (
        <AnswerDialog
          {...asked}
          onClose={() => setAsked(null)}
          onDone={(text) => {
            onAnswered?.(asked.orderId);
            setAsked(null);
            setNews(text);
          }}
        />
      )}
    </Answering>
  );
}

/** The two answers, in the row of an order that waits. */
export function AnswerButtons({ orderId }: Readonly<{ orderId: string }>) {
  const { ask, isOff } = use(Answering);
  if (!ask) return null;
  return (
    <span className="row-answers">
      <button
        type="button"
        disabled={isOff}
        aria-label={`${words.confirm} ${orderId}`}
        onClick={() => ask(orderId, 'accept')}
      >
        {words.confirm}
      </button>
      <button
        type="button"
        disabled={isOff}
        aria-label={`${words.reject} ${orderId}`}
        onClick={() => ask(orderId, 'deny')}
      >
        {words.reject}
      </button>
    </span>
  );
}
