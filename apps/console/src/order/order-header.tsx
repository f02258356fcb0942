import type { ReactNode } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import { CopyButton } from '../frame/copy-button.js';
import { SpeculativeMark } from '../frame/speculative-mark.js';
import { Time } from '../frame/time.js';
import { orderWords as words } from './order-words.js';
import { AssigneeMenu } from './edit/assignee-menu.js';
import { TagList } from './edit/tag-list.js';
import { ChoiceLine } from './choice-line.js';
import { OfferNotice } from './offer-notice.js';
import { StatusReason } from './status-reason.js';
import { NextLine } from './next-line.js';

type Props = Readonly<{ order: OrderDetail; isPast: boolean; mayChange: boolean; actions: ReactNode }>;

/** Which order this is, how it stands and why, and what can be done next. */
export function OrderHeader({ order, isPast, mayChange, actions }: Props) {
  const { id, status, ref_id: refId } = order;
  return (
    <>
      <header className="order-head">
        <div className="order-name">
          <h1 className="mono">{id}</h1>
          <CopyButton text={id} what={id} />
          {order.speculative && <SpeculativeMark />}
          <span className={`status ${status?.status ?? 'none'}`}>
            <span role="group" aria-label={words.status}>
              {status?.status_message ?? '–'}
            </span>
          </span>
          {status && <span className="soft small">{status.status_code}</span>}
        </div>
        {actions}
      </header>
      <NextLine order={order} isPast={isPast} />
      {order.replacement?.state !== 'open' && <StatusReason order={order} />}
      <OfferNotice order={order} />
      <ChoiceLine order={order} isPast={isPast} />
      {order.card_data_in_ref_id && <p className="news warning">{words.cardInRef}</p>}
      <div className="order-sub soft small">
        <AssigneeMenu order={order} mayChange={mayChange} />
        <TagList order={order} mayChange={mayChange} />
        {refId !== undefined && <CopiedId name={words.ref} id={refId} />}
        {order.external_id !== null && <CopiedId name={words.externalId} id={order.external_id} />}
        <span>{order.client_id}</span>
        <span>
          {words.placed} <Time at={order.placed_at} />
        </span>
        <CopiedId name={words.trace} id={order.transaction_id} />
      </div>
    </>
  );
}

function CopiedId({ name, id }: Readonly<{ name: string; id: string }>) {
  return (
    <span className="copied">
      {name} <span className="mono">{id}</span> <CopyButton text={id} what={name} />
    </span>
  );
}
