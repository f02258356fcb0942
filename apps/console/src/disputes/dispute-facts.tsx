import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Dispute } from '#money/dispute.contract';
import { orderQuery } from '../api/desk.js';
import { useShow } from '../api/show-names.js';
import { CopyButton } from '../frame/copy-button.js';
import { Facts } from '../frame/facts.js';
import { useNow } from '../frame/now.js';
import { OrderLink } from '../frame/order-link.js';
import { ShortId } from '../frame/short-id.js';
import { Status } from '../frame/status.js';
import { Time } from '../frame/time.js';
import { TimeLeft } from '../frame/time-left.js';
import { orderWords } from '../order/order-words.js';
import { providerText } from '../order/payment-source.js';
import { minuteTime, money, timeAtVenue } from '../words/formats.js';
import { DisputeState, reasonText } from './dispute-text.js';
import { disputeWords } from './dispute-words.js';

const { field: words } = disputeWords;

type Fact = readonly [name: string, value: ReactNode];

/** What is contested, until when, and what was bought. */
export function DisputeFacts({ dispute }: Readonly<{ dispute: Dispute }>) {
  const { id, order_id: orderId, kind, due_at: due, provider, reference, note } = dispute;
  const { data: order } = useQuery(orderQuery(orderId));
  const show = useShow(order?.product.event_id ?? '');
  const facts: readonly (Fact | false | undefined)[] = [
    [words.state, <DisputeState key="state" dispute={dispute} />],
    [words.reason, reasonText(dispute)],
    [words.amount, money(dispute.amount, dispute.currency)],
    due !== null && [kind === 'card' ? words.due : words.settle, <Due key="due" dispute={dispute} due={due} />],
    [words.order, <OrderLink key="order" id={orderId} />],
    order && [words.status, <Status key="status" status={order.status} />],
    order && [
      words.bought,
      [orderWords.count(order.product.quantity), show?.title, show && timeAtVenue(show.datetime_local)]
        .filter(Boolean)
        .join(' · '),
    ],
    [words.opened, <Time key="opened" at={dispute.opened_at} />],
    dispute.sent_at !== null && [words.sent, <Time key="sent" at={dispute.sent_at} />],
    dispute.closed_at !== null && [words.closed, <Time key="closed" at={dispute.closed_at} />],
    provider !== null && [words.provider, providerText(provider)],
    reference !== null && [words.reference, <CopiedId key="reference" name={words.reference} id={reference} />],
    [words.id, <CopiedId key="id" name={words.id} id={id} />],
    note !== null && [words.note, note],
  ];
  return <Facts facts={facts.filter((fact) => fact !== false && fact !== undefined)} />;
}

function Due({ dispute: { state }, due }: Readonly<{ dispute: Dispute; due: string }>) {
  const now = useNow();
  return (
    <>
      {minuteTime(due, now)}
      {state === 'open' && (
        <>
          {' · '}
          <TimeLeft until={due} />
        </>
      )}
    </>
  );
}

function CopiedId({ name, id }: Readonly<{ name: string; id: string }>) {
  return (
    <span className="row nowrap">
      <ShortId id={id} />
      <CopyButton text={id} what={name} />
    </span>
  );
}
