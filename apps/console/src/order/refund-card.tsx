import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Refund } from '#money/refund.contract';
import type { OrderDetail } from '#orders/order.contract';
import { type RefundAnswer, refundsQuery } from '../api/refunds.js';
import { sessionQuery } from '../api/session.js';
import { Failure } from '../frame/failure.js';
import { lazyPart } from '../frame/lazy-part.js';
import { NamedText } from '../frame/named-text.js';
import { Time } from '../frame/time.js';
import { money } from '../words/formats.js';
import { useActorTexts } from './actors.js';
import { Card, FilesSkeleton } from './card.js';
import { orderWords } from './order-words.js';
import { refundWords as words } from './refund-words.js';

const RefundAnswerDialog = lazyPart(async () => (await import('./refund-answer-dialog.js')).RefundAnswerDialog);

type Props = Readonly<{ order: OrderDetail; mayAnswer: boolean }>;

/** What went back to the buyer, newest first. `mayAnswer` is false without the permission, and in the past. */
export function RefundCard({ order, mayAnswer }: Props) {
  const isTaken = order.payment !== null && order.payment.captured > 0;
  const query = { ...refundsQuery(order.id, order.version), placeholderData: keepPreviousData, enabled: isTaken };
  const { data: refunds, error, refetch } = useQuery(query);
  const [asked, setAsked] = useState<Readonly<{ refund: Refund; answer: RefundAnswer }> | null>(null);
  const [news, setNews] = useState('');
  const textOf = useActorTexts(order.id);
  const { refunded = 0, pending_refunds: open = 0 } = order.payment ?? {};
  // Declined and failed ones are in no amount.
  if (refunded + open === 0 && !refunds?.length && !error) return null;
  return (
    <Card title={words.title} wide>
      {error && <Failure error={error} retry={() => void refetch()} />}
      <p role="status" className={news === '' ? 'visually-hidden' : 'small'}>
        {news}
      </p>
      {!refunds && !error && <FilesSkeleton />}
      <ul className="refunds">
        {refunds?.toReversed().map((refund) => (
          <RefundRow
            key={refund.id}
            refund={refund}
            textOf={textOf}
            mayAnswer={mayAnswer}
            onAnswer={(answer) => setAsked({ refund, answer })}
          />
        ))}
      </ul>
      {asked && (
        <RefundAnswerDialog
          {...asked}
          order={order}
          onClose={() => setAsked(null)}
          onDone={() => {
            setNews(words.answer[asked.answer].done(money(asked.refund.amount, asked.refund.currency)));
            setAsked(null);
          }}
        />
      )}
    </Card>
  );
}

type RowProps = Readonly<{
  refund: Refund;
  textOf: (actor: string) => string;
  mayAnswer: boolean;
  onAnswer: (answer: RefundAnswer) => void;
}>;

function RefundRow({ refund, textOf, mayAnswer, onAnswer }: RowProps) {
  const { amount, currency, quantity, state, origin, approved_by: approver } = refund;
  return (
    <li className="refund">
      <div>
        <strong>{money(amount, currency)}</strong>
        {quantity !== null && <span className="second soft">{words.tickets(orderWords.count(quantity))}</span>}
      </div>
      <div>
        {words.reason[refund.reason]}
        <span className="second soft">
          {origin === 'desk' ? words.askedBy(textOf(refund.requested_by)) : words.by[origin]}{' '}
          <Time at={refund.created_at} />
          {approver !== null && ` · ${words.approvedBy(textOf(approver))}`}
        </span>
        {refund.reference !== null && (
          <span className="second soft">
            {orderWords.field.reference} <span className="mono">{refund.reference}</span>
          </span>
        )}
        {refund.failure !== null && <span className="second">{words.failure(refund.failure)}</span>}
        {refund.note !== null && <p className="note-text">{refund.note}</p>}
      </div>
      <div className="refund-end">
        <span className={`refund-state ${state}`}>{words.state[state]}</span>
        {mayAnswer && state === 'waiting_for_approval' && <Answers refund={refund} onAnswer={onAnswer} />}
      </div>
    </li>
  );
}

/** Who asked for a refund may take it back, but does not approve it. */
function Answers({ refund, onAnswer }: Pick<RowProps, 'refund' | 'onAnswer'>) {
  const { data: session } = useQuery(sessionQuery);
  const isOwn = refund.requested_by === `operator:${session?.operator.id}`;
  const answers = isOwn ? (['decline'] as const) : (['approve', 'decline'] as const);
  const amount = money(refund.amount, refund.currency);
  return (
    <>
      {isOwn && <span className="second soft">{words.ownWaits}</span>}
      <div className="row">
        {answers.map((answer) => (
          <Button key={answer} variant="default" size="compact-sm" onClick={() => onAnswer(answer)}>
            <NamedText text={words.answer[answer].button} name={words.answer[answer].name(amount)} />
          </Button>
        ))}
      </div>
    </>
  );
}
