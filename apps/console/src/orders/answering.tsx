import { useQuery } from '@tanstack/react-query';
import { createContext, lazy, type ReactNode, Suspense, use, useMemo, useState } from 'react';
import type { OrderSummary } from '#contracts/backoffice/order';
import { may, sessionQuery } from '../api/session.js';
import { useKeys } from '../frame/use-keys.js';
import { answerWords as words } from '../words/answers.js';
import { orderWords } from '../words/order.js';

type Answer = 'accept' | 'deny';
type Ask = (orderId: string, answer: Answer) => void;

const AnswerDialog = lazy(async () => ({ default: (await import('../order/answer-dialog.js')).AnswerDialog }));

/** Opens the dialog of an answer; null for people who may not answer. */
const Answering = createContext<Ask | null>(null);

type Props = Readonly<{
  active: OrderSummary | undefined;
  /** Told which order has its answer. */
  onAnswered?: (orderId: string) => void;
  children: ReactNode;
}>;

/** Lets people answer for the broker without leaving the list: by the buttons of a row, or by `a` and `d` on the active one. */
export function AnswerProvider({ active, onAnswered, children }: Props) {
  const { data: session } = useQuery(sessionQuery);
  const mayAnswer = may(session, 'orders:act');
  const [asked, setAsked] = useState<Readonly<{ orderId: string; answer: Answer }> | null>(null);
  const [news, setNews] = useState('');
  const ask = useMemo(
    () => (mayAnswer ? (orderId: string, answer: Answer) => setAsked({ orderId, answer }) : null),
    [mayAnswer],
  );
  const askActive = (answer: Answer) => () => {
    if (active?.status?.status === 'pending') ask?.(active.id, answer);
  };
  useKeys({ a: askActive('accept'), d: askActive('deny') });
  return (
    <Answering value={ask}>
      {children}
      <p role="status" className="visually-hidden">
        {news}
      </p>
      {asked && (
        <Suspense>
          <AnswerDialog
            {...asked}
            onClose={() => setAsked(null)}
            onDone={({ label }) => {
              onAnswered?.(asked.orderId);
              setAsked(null);
              setNews(orderWords.dialog.done(label));
            }}
          />
        </Suspense>
      )}
    </Answering>
  );
}

/** The two answers, in the row of an order that waits. */
export function AnswerButtons({ orderId }: Readonly<{ orderId: string }>) {
  const ask = use(Answering);
  if (!ask) return null;
  return (
    <span className="row-answers">
      <button type="button" aria-label={`${words.confirm} ${orderId}`} onClick={() => ask(orderId, 'accept')}>
        {words.confirm}
      </button>
      <button type="button" aria-label={`${words.reject} ${orderId}`} onClick={() => ask(orderId, 'deny')}>
        {words.reject}
      </button>
    </span>
  );
}
