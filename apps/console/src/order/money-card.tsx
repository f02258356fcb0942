import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Refund } from '#money/refund.contract';
import type { OrderDetail } from '#orders/order.contract';
import { may, sessionQuery } from '../api/session.js';
import { CopyButton } from '../frame/copy-button.js';
import { lazyPart } from '../frame/lazy-part.js';
import { useNow } from '../frame/now.js';
import { ShortId } from '../frame/short-id.js';
import { disputeStates } from '../words/disputes.js';
import { minuteTime, money } from '../words/formats.js';
import { wordFor } from '../words/word-for.js';
import { orderWords as words } from './order-words.js';
import { isRefundable } from './is-refundable.js';
import { paymentSentences } from './payment-sentences.js';
import { cardText, providerText } from './payment-source.js';
import { refundWords } from './refund-words.js';
import { Card, Field } from './card.js';
import { useEntries } from './use-entries.js';

const RefundDialog = lazyPart(async () => (await import('./refund-dialog.js')).RefundDialog);

const MINUTE_MS = 60_000;

type Payment = NonNullable<OrderDetail['payment']>;

type Props = Readonly<{ order: OrderDetail; now: OrderDetail; mayRefund: boolean }>;

/** `mayRefund` is false without the permission, and in the past. */
export function MoneyCard({ order, now, mayRefund }: Props) {
  const { payment } = order;
  const [opened, setOpened] = useState(false);
  const [news, setNews] = useState('');
  const canRefund = mayRefund && isRefundable(now);
  const gone = (why: string) => {
    setOpened(false);
    setNews(why);
  };
  const done = ({ amount, currency, state }: Refund) => {
    setOpened(false);
    const say = state === 'waiting_for_approval' ? refundWords.waits : refundWords.requested;
    setNews(say(money(amount, currency)));
  };
  return (
    <Card title={words.cards.money} aside={<strong>{money(order.total, payment?.currency)}</strong>}>
      {payment ? (
        <PaymentParts order={order} payment={payment} now={now} />
      ) : (
        <p className="soft">{order.variant === 'wholesale' ? words.wholesale : words.noPayment}</p>
      )}
      <p role="status" className={news === '' ? 'visually-hidden' : 'small'}>
        {news}
      </p>
      {canRefund && (
        <div className="row end-of-card">
          <Button variant="default" size="compact-sm" onClick={() => setOpened(true)}>
            {refundWords.open}
          </Button>
        </div>
      )}
      {opened && <RefundDialog order={now} onClose={() => setOpened(false)} onDone={done} onGone={gone} />}
    </Card>
  );
}

type PaymentProps = Readonly<{ order: OrderDetail; payment: Payment; now: OrderDetail }>;

function PaymentParts({ order, payment, now }: PaymentProps) {
  const clock = useNow(MINUTE_MS);
  const isPast = order.version !== now.version;
  const entries = useEntries(order, isPast);
  const amount = (value: number) => money(value, payment.currency);
  const { state, captured, dispute, provider, reference, capture_before: before } = payment;
  const differs = now.payment !== null && now.payment.state !== state;
  return (
    <>
      <ul className={`payment-sentences${state === 'authorised' ? ' held' : ''}${differs ? ' differs' : ''}`}>
        {paymentSentences(payment, entries, clock).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {differs && now.payment && (
          <li className="now">
            {words.differs}: {words.paymentState[now.payment.state]}
          </li>
        )}
      </ul>
      <dl>
        {state === 'authorised' && before !== null && (
          <Field name={words.field.captureBefore} value={<time dateTime={before}>{minuteTime(before, clock)}</time>} />
        )}
        {isShown(payment, now.payment) && (
          <Field
            name={words.field.refundable}
            value={amount(payment.refundable)}
            now={amount((now.payment ?? payment).refundable)}
          />
        )}
        {dispute && <Field name={words.field.dispute} value={<DisputeText dispute={dispute} amount={amount} />} />}
        {payment.returned !== undefined && <Field name={words.field.returned} value={amount(payment.returned)} />}
        {payment.return_due !== undefined && <Field name={words.field.returnDue} value={amount(payment.return_due)} />}
        {captured === 0 && state !== 'authorised' && <Field name={words.field.card} value={cardText(payment)} />}
        {payment.reason !== null && <Field name={words.field.reason} value={payment.reason} />}
        {provider !== null && <Field name={words.field.provider} value={providerText(provider)} />}
        {reference !== null && (
          <Field
            name={words.field.reference}
            value={
              <span className="row">
                <ShortId id={reference} />
                <CopyButton text={reference} what={words.field.reference} />
              </span>
            }
          />
        )}
      </dl>
    </>
  );
}

/** While a dispute bars refunds, it says so. */
function isShown(payment: Payment, now: OrderDetail['payment']): boolean {
  return payment.state !== 'disputed' && (payment.refundable > 0 || (now?.refundable ?? 0) > 0);
}

type DisputeProps = Readonly<{ dispute: NonNullable<Payment['dispute']>; amount: (value: number) => string }>;

function DisputeText({ dispute, amount }: DisputeProps) {
  const clock = useNow();
  const { data: session } = useQuery(sessionQuery);
  const { id, state, due_at: due } = dispute;
  return (
    <>
      {words.withAmount(wordFor(disputeStates, state) ?? state, amount(dispute.amount))}
      {state === 'open' && due !== null && (
        <span className="second">
          <time dateTime={due}>{words.disputeDue(minuteTime(due, clock))}</time>
        </span>
      )}
      <span className="second">
        {may(session, 'money:read') ? (
          <Link to="/disputes/$id" params={{ id }}>
            <ShortId id={id} />
          </Link>
        ) : (
          <ShortId id={id} />
        )}
      </span>
    </>
  );
}
