import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListingDocument } from '#listings/listing.contract';
import { ask } from '../api/http.js';
import { may, sessionQuery } from '../api/session.js';
import { ConfirmDialog } from '../frame/confirm-dialog.js';
import { Facts } from '../frame/facts.js';
import { Failure } from '../frame/failure.js';
import { PageHead } from '../frame/page-head.js';
import { Time } from '../frame/time.js';
import { UnreadPage } from '../frame/unread-page.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { money, number } from '../words/formats.js';
import { listingsWords as words } from './listing-words.js';
import { ListingForm } from './listing-form.js';
import { percentText } from './listing-rows.js';
import { ShowLink, ListingState } from './listing-table.js';

const BACK = { to: '/listings', name: words.title } as const;

export function ListingPage() {
  const { id } = useParams({ from: '/frame/listings/$id' });
  const client = useQueryClient();
  const path = { listing_id: id };
  const { data: session } = useQuery(sessionQuery);
  const one = useQuery({
    queryKey: ['listing', id],
    queryFn: ({ signal }) => ask('GET listings/{listing_id}', { path, signal }),
  });
  const { data } = one;
  const [asking, setAsking] = useState(false);
  const [editing, setEditing] = useState(false);
  const withdraw = useMutationOnce({
    mutationFn: () => ask('DELETE listings/{listing_id}', { path }),
    onSuccess: () => {
      setAsking(false);
      return client.invalidateQueries();
    },
  });
  const restore = useMutationOnce({
    mutationFn: (body: ListingDocument) => ask('PUT listings/{listing_id}', { path, body }),
    onSuccess: () => client.invalidateQueries(),
  });
  if (!data) {
    return <UnreadPage back={BACK} title={id} query={one} missing={words.notFoundHint(id)} />;
  }
  return (
    <div className="page">
      <PageHead back={BACK} title={data.listing_id}>
        {may(session, 'listings:write') && (
          <>
            {data.withdrawn_at === null ? (
              <Button variant="default" onClick={() => setAsking(true)}>
                {words.withdraw}
              </Button>
            ) : (
              <Button variant="default" loading={restore.isPending} onClick={() => restore.mutate(data)}>
                {words.onSale}
              </Button>
            )}
            <Button onClick={() => setEditing(true)}>{words.edit}</Button>
          </>
        )}
      </PageHead>
      {restore.error && <Failure error={restore.error} />}
      <ListingFacts listing={data} />
      <p>
        <Link to="/orders" search={{ listing_id: data.listing_id }}>
          {words.orders}
        </Link>
      </p>
      {editing && <ListingForm listing={data} onClose={() => setEditing(false)} />}
      {asking && (
        <ConfirmDialog
          title={words.withdraw}
          apply={words.apply}
          cancel={words.cancel}
          error={withdraw.error}
          busy={withdraw.isPending}
          onApply={() => withdraw.mutate()}
          onClose={() => setAsking(false)}
        >
          {words.withdrawAsk}
        </ConfirmDialog>
      )}
    </div>
  );
}

function ListingFacts({ listing }: Readonly<{ listing: ListingDocument }>) {
  const { column } = words;
  const { section, row, seats, split_rule, delivery_methods, notes } = listing;
  const facts = [
    [column.state, <ListingState key="state" listing={listing} />],
    [column.show, <ShowLink key="show" showId={listing.event_id} />],
    [column.seats, [section, row, seats?.join(', ')].filter(Boolean).join(' · ')],
    [column.left, number(listing.quantity)],
    [column.held, number(listing.held)],
    [column.price, money(listing.price)],
    [column.fees, money(listing.fees)],
    [column.wholesale, money(listing.wholesale_price)],
    [column.splits, Array.isArray(split_rule) ? split_rule.join(', ') : words.form.splits[split_rule]],
    [column.confirmation, words.confirmation[listing.confirmation]],
    [column.tax, taxText(listing)],
    [column.delivery, delivery_methods.map(deliveryText).join(', ')],
    ...(notes === '' ? [] : [[column.notes, notes] as const]),
    ...(listing.seller === undefined ? [] : [[column.seller, listing.seller] as const]),
    ...(listing.external_id === undefined ? [] : [[column.externalId, listing.external_id] as const]),
    [column.changed, <Time key="changed" at={listing.updated_at} />],
  ] as const;
  return <Facts facts={facts} />;
}

/** `6%, US-NY 8.875%`. */
function taxText({ tax_rate: rate, tax_rates: rates }: ListingDocument): string {
  const byPlace = Object.entries(rates).map(([place, own]) => `${place} ${percentText(own)}%`);
  return [`${percentText(rate)}%`, ...byPlace].join(', ');
}

/** `Courier (Our label, $15.00, US-HI $30.00)`. */
function deliveryText({ name, form, cost, costs = {} }: ListingDocument['delivery_methods'][number]): string {
  const byPlace = Object.entries(costs).map(([place, own]) => `${place} ${money(own)}`);
  const sent = form === undefined ? [] : [words.form.deliveries.forms[form]];
  return `${name} (${[...sent, money(cost), ...byPlace].join(', ')})`;
}
