import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { OrderDetail } from '#orders/order.contract';
import { revealPersonalData } from '../api/desk.js';
import { Failure } from '../frame/failure.js';
import { useUnsaved } from '../frame/unsaved.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { lazyPart } from '../frame/lazy-part.js';
import { deskWords } from './edit/order-desk-words.js';
import { orderWords as words } from './order-words.js';
import { Card, Field } from './card.js';
import { type Buyer, buyerOf } from './edit/buyer.js';

const BuyerForm = lazyPart(async () => (await import('./edit/buyer-form.js')).BuyerForm);

/** The buyer, masked. Revealing the data needs a reason, and lasts until the page is left. */
export function BuyerCard({ order, mayReveal }: Readonly<{ order: OrderDetail; mayReveal: boolean }>) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState('');
  const [correcting, setCorrecting] = useState(false);
  const [news, setNews] = useState('');
  const reveal = useMutationOnce({
    mutationFn: () => revealPersonalData(order.id, reason.trim()),
    onSuccess: () => {
      setAsking(false);
      setNews('');
      setReason('');
      return client.invalidateQueries({ queryKey: ['order', order.id, 'timeline'] });
    },
    gcTime: 0,
  });
  useUnsaved(reveal.isPending ? 'sending' : reason.trim() === '' ? undefined : 'written');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!asking) return setAsking(true);
    if (reason.trim() === '') return setMissing(words.reasonNeeded);
    setMissing('');
    reveal.mutate();
  };
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
      <BuyerData order={order} buyer={buyer} />
      <p role="status" className="visually-hidden">
        {reveal.isSuccess ? words.revealed : ''}
      </p>
      <p role="status" className={news === '' ? 'visually-hidden' : 'small'}>
        {news}
      </p>
      {reveal.error && <Failure error={reveal.error} />}
      {mayReveal && order.personal_data === 'kept' && (
        <form className="stack end-of-card" onSubmit={submit} noValidate>
          {asking && !reveal.data && (
            <TextInput
              label={words.reason}
              description={words.reasonHint}
              value={reason}
              error={missing}
              autoFocus
              maxLength={500}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
          )}
          <div className="row">
            {!reveal.data && (
              <Button type="submit" variant="default" size="compact-sm" loading={reveal.isPending}>
                {words.reveal}
              </Button>
            )}
            {!asking && (
              <Button variant="default" size="compact-sm" onClick={() => setCorrecting(true)}>
                {deskWords.correctBuyer}
              </Button>
            )}
            {asking && (
              <button type="button" className="link-button small" onClick={() => setAsking(false)}>
                {words.dialog.cancel}
              </button>
            )}
          </div>
        </form>
      )}
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

function BuyerData({ order, buyer }: Readonly<{ order: OrderDetail; buyer: Buyer }>) {
  if (order.personal_data === 'erased') return <p className="soft">{words.erased}</p>;
  if (order.personal_data === 'unreadable') return <p className="soft">{words.unreadable}</p>;
  const { name, email, phone, address } = buyer;
  if (!name && !email && !phone && !address) return <p className="soft">{words.noBuyer}</p>;
  return (
    <dl>
      {name && <Field name={words.field.name} value={name} />}
      {email && <Field name={words.field.email} value={email} />}
      {phone && <Field name={words.field.phone} value={phone} />}
      {address && <Field name={words.field.address} value={address} />}
    </dl>
  );
}
