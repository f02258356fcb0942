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
import { cardText, providerText } from './payment-source.js';
import { refundWords } from './refund-words.js';
import { Card, Field } from './card.js';

const RefundDialog = lazyPart(async () => (await import('./refund-dialog.js')).RefundDialog);

type Payment = NonNullable<OrderDetail['payment']>;

type Props = Readonly<{ order: OrderDetail; now: OrderDetail; mayRefund: boolean }>;

/** `mayRefund` is false without the permission, and in the past. */
export function MoneyCard({ order, now, mayRefund }: Props) {
  const { payment } = order;
  const [opened, setOpened] = useState(false);
  const [news, setNews] = useState('');
  const canRefund = mayRefund && now.payment !== null && now.payment.refundable > 0 && now.payment.state !== 'disputed';
  const done = ({ amount, currency, state }: Refund) => {
    setOpened(false);
    const say = state === 'waiting_for_approval' ? refundWords.waits : refundWords.requested;
    setNews(say(money(amount, currency)));
  };
  return (
    <Card title={words.cards.money} aside={<strong>{money(order.total, payment?.currency)}</strong>}>
      {payment ? (
        <PaymentFields payment={payment} now={now.payment ?? payment} />
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
      {opened && <RefundDialog order={now} onClose={() => setOpened(false)} onDone={done} />}
    </Card>
  );
}

const AMOUNTS = ['captured', 'refunded', 'pending_refunds', 'refundable'] as const;
const AMOUNT_NAMES = {
  captured: words.field.captured,
  refunded: words.field.refunded,
  pending_refunds: words.field.pendingRefunds,
  refundable: words.field.refundable,
};

/** With the amount, if the state says what became of all of it. */
function stateText({ state, currency, authorised, captured }: Payment): string {
  const text = words.paymentState[state] ?? state;
  if (state === 'authorised') return words.withAmount(text, money(authorised, currency));
  return state === 'captured' ? words.withAmount(text, money(captured, currency)) : text;
}

function PaymentFields({ payment, now }: Readonly<{ payment: Payment; now: Payment }>) {
  const clock = useNow();
  const amount = (value: number) => money(value, payment.currency);
  const { state, dispute, provider, reference, capture_before: before } = payment;
  return (
    <dl>
      <Field name={words.field.payment} value={stateText(payment)} now={stateText(now)} />
      {state === 'authorised' && before !== null && (
        <Field name={words.field.captureBefore} value={<time dateTime={before}>{minuteTime(before, clock)}</time>} />
      )}
      {AMOUNTS.map(
        (name) =>
          isShown(name, payment, now) && (
            <Field key={name} name={AMOUNT_NAMES[name]} value={amount(payment[name])} now={amount(now[name])} />
          ),
      )}
      {dispute && <Field name={words.field.dispute} value={<DisputeText dispute={dispute} amount={amount} />} />}
      {payment.returned !== undefined && <Field name={words.field.returned} value={amount(payment.returned)} />}
      {payment.return_due !== undefined && <Field name={words.field.returnDue} value={amount(payment.return_due)} />}
      <Field name={words.field.card} value={cardText(payment)} />
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
  );
}

/** The state says what was taken, and that a dispute bars refunds. */
function isShown(name: (typeof AMOUNTS)[number], payment: Payment, now: Payment): boolean {
  if (name === 'captured' && payment.state === 'captured') return false;
  if (name === 'refundable' && payment.state === 'disputed') return false;
  return payment[name] > 0 || now[name] > 0;
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
