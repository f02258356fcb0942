import { useState } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import { CopyButton } from '../frame/copy-button.js';
import { Failure } from '../frame/failure.js';
import { lazyPart } from '../frame/lazy-part.js';
import { deskWords } from './edit/order-desk-words.js';
import { orderWords as words } from './order-words.js';
import { Card, Field } from './card.js';
import { type Buyer, buyerOf } from './edit/buyer.js';
import { BuyerLink } from './buyer-link.js';
import { RevealForm } from './reveal-form.js';
import { useReveal } from './use-reveal.js';

const BuyerForm = lazyPart(async () => (await import('./edit/buyer-form.js')).BuyerForm);

/** The buyer, masked. Revealing the data needs a reason, and lasts until the page is left. */
export function BuyerCard({ order, mayReveal }: Readonly<{ order: OrderDetail; mayReveal: boolean }>) {
  const [correcting, setCorrecting] = useState(false);
  const [news, setNews] = useState('');
  const reveal = useReveal(order.id, () => setNews(''));
  const buyer = reveal.data ? buyerOf(reveal.data, order) : buyerOf({ buyer: order.buyer }, order);
  return (
    <Card
      title={words.cards.buyer}
      aside={
        reveal.data && (
          <button type="button" className="link-button small" onClick={() => reveal.reset()}>
            {words.hide}
          </button>
        )
      }
    >
      <BuyerData order={order} buyer={buyer} isClear={reveal.data !== undefined || !order.personal_data_masked} />
      <p role="status" className="visually-hidden">
        {reveal.isSuccess ? words.revealed : ''}
      </p>
      <p role="status" className={news === '' ? 'visually-hidden' : 'small'}>
        {news}
      </p>
      {reveal.error && <Failure error={reveal.error} />}
      {mayReveal && order.personal_data === 'kept' && (
        <RevealForm reveal={reveal} onCorrect={() => setCorrecting(true)} />
      )}
      <BuyerLink order={order} />
      {correcting && (
        <BuyerForm
          order={order}
          known={reveal.data ?? { buyer: order.buyer }}
          onClose={() => setCorrecting(false)}
          onDone={() => {
            setCorrecting(false);
            setNews(deskWords.corrected);
            // The revealed data is that of before the correction.
            reveal.reset();
          }}
        />
      )}
    </Card>
  );
}

type DataProps = Readonly<{
  order: OrderDetail;
  buyer: Buyer;
  /** Not masked, so that it is of use outside this page. */
  isClear: boolean;
}>;

function BuyerData({ order, buyer, isClear }: DataProps) {
  if (order.personal_data === 'erased') return <p className="soft">{words.erased}</p>;
  if (order.personal_data === 'unreadable') return <p className="soft">{words.unreadable}</p>;
  const { name, email, phone, address } = buyer;
  if (!name && !email && !phone && !address) return <p className="soft">{words.noBuyer}</p>;
  return (
    <dl>
      {name && <Field name={words.field.name} value={name} />}
      {email && (
        <Field
          name={words.field.email}
          value={<Reach text={email} by="mailto" what={words.field.email} isClear={isClear} />}
        />
      )}
      {phone && (
        <Field
          name={words.field.phone}
          value={<Reach text={phone} by="tel" what={words.field.phone} isClear={isClear} />}
        />
      )}
      {address && (
        <Field
          name={words.field.address}
          value={<Reach text={address} what={words.field.address} isClear={isClear} />}
        />
      )}
    </dl>
  );
}

type ReachProps = Readonly<{ text: string; by?: 'mailto' | 'tel'; what: string; isClear: boolean }>;

/** A way to write to the buyer or to call, and to copy the text. What is masked is only shown. */
function Reach({ text, by, what, isClear }: ReachProps) {
  if (!isClear) return text;
  const address = by === 'tel' ? text.replace(/[^\d+]/g, '') : text;
  return (
    <span className="copied">
      {by === undefined ? text : <a href={`${by}:${address}`}>{text}</a>} <CopyButton text={text} what={what} />
    </span>
  );
}
