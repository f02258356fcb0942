import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { OrderDetail } from '#contracts/backoffice/order';
import { revealPersonalData } from '../api/desk.js';
import { Failure } from '../frame/failure.js';
import { orderWords as words } from '../words/order.js';
import { Card, Field } from './card.js';
import { type Buyer, buyerOf } from './buyer.js';

/** The buyer, masked. To see the data one says why; it is hidden again when the page is left. */
export function BuyerCard({ order, mayReveal }: Readonly<{ order: OrderDetail; mayReveal: boolean }>) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState('');
  const reveal = useMutation({
    mutationFn: () => revealPersonalData(order.id, reason.trim()),
    onSuccess: () => {
      setAsking(false);
      setReason('');
      return client.invalidateQueries({ queryKey: ['order', order.id, 'timeline'] });
    },
    gcTime: 0,
  });
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
      {reveal.error && <Failure error={reveal.error} />}
      {mayReveal && order.personal_data === 'kept' && !reveal.data && (
        <form className="stack" onSubmit={submit} noValidate>
          {asking && (
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
            <Button type="submit" variant="default" size="compact-sm" loading={reveal.isPending}>
              {words.reveal}
            </Button>
            {asking && (
              <button type="button" className="link-button small" onClick={() => setAsking(false)}>
                {words.dialog.cancel}
              </button>
            )}
          </div>
        </form>
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
