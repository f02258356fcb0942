import { NativeSelect, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ListingDocument } from '#listings/listing.contract';
import { offerReplacement, otherTicketsQuery } from '../api/order-changes.js';
import { Dialog } from '../frame/dialog.js';
import { Failure } from '../frame/failure.js';
import { FormButtons } from '../frame/form-buttons.js';
import { money } from '../words/formats.js';
import { orderWords } from './order-words.js';
import { replacementWords as words } from './replacement-words.js';
import { ChangeFailure } from './edit/change-failure.js';
import type { ActionDialogProps } from './edit/action-dialog-props.js';
import { useActionGone } from './use-action-gone.js';
import { useOrderChange } from './edit/use-order-change.js';
import { LONGEST_TERMS } from '#orders/order.limits';
import { useSeenVersion } from './edit/use-seen-version.js';

const A_DAY = 1_440;

/** Chooses other tickets of the same show. The ones that cost about the same come first. */
export function ReplacementDialog({ order, action, onClose, onDone, onGone }: ActionDialogProps) {
  const { data: listings, error, refetch } = useQuery(otherTicketsQuery(order));
  const [chosen, setChosen] = useState<string | null>(null);
  const [terms, setTerms] = useState('');
  const [minutes, setMinutes] = useState(A_DAY);
  const { version, renew } = useSeenVersion(order);
  const listingId = chosen ?? listings?.[0]?.listing_id;
  const offer = useOrderChange(
    order.id,
    (id: string) =>
      offerReplacement(
        { ...order, version },
        {
          listing_id: id,
          expires_in_minutes: minutes,
          ...(terms.trim() !== '' && { terms: terms.trim() }),
        },
      ),
    () => onDone(action),
    renew,
  );
  useActionGone({ order, action, onGone }, offer);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (listingId !== undefined) offer.mutate(listingId);
  };
  return (
    <Dialog
      title={words.title}
      size="md"
      typed={{ chosen, terms, minutes }}
      isPending={offer.isPending}
      onClose={onClose}
    >
      <form className="stack" onSubmit={submit} noValidate>
        <ul className="consequences">
          {words.follows(orderWords.count(order.product.quantity)).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {error && <Failure error={error} retry={() => void refetch()} />}
        {!listings && !error && <p className="soft">{words.loading}</p>}
        {listings && <Choices listings={listings} chosen={listingId} onChoose={setChosen} />}
        <NativeSelect
          label={words.within}
          value={minutes}
          onChange={({ currentTarget }) => setMinutes(Number(currentTarget.value))}
        >
          {words.times.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </NativeSelect>
        <Textarea
          label={words.terms}
          description={words.termsHint}
          rows={2}
          maxLength={LONGEST_TERMS}
          value={terms}
          onChange={({ currentTarget }) => setTerms(currentTarget.value)}
        />
        <ChangeFailure error={offer.error} stale={words.changed} />
        <FormButtons cancel={words.cancel} submit={words.apply} isPending={offer.isPending} />
      </form>
    </Dialog>
  );
}

type ChoicesProps = Readonly<{
  listings: readonly ListingDocument[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}>;

function Choices({ listings, chosen, onChoose }: ChoicesProps) {
  if (listings.length === 0) return <p role="alert">{words.none}</p>;
  return (
    <fieldset className="other-tickets">
      <legend>{words.which}</legend>
      {listings.map((listing) => (
        <Choice
          key={listing.listing_id}
          listing={listing}
          checked={listing.listing_id === chosen}
          onChoose={() => onChoose(listing.listing_id)}
        />
      ))}
    </fieldset>
  );
}

type ChoiceProps = Readonly<{ listing: ListingDocument; checked: boolean; onChoose: () => void }>;

function Choice({ listing, checked, onChoose }: ChoiceProps) {
  const { listing_id: id, section, row, quantity, price, fees } = listing;
  return (
    <label className="choice">
      <input type="radio" name="listing" checked={checked} onChange={onChoose} {...(checked && { autoFocus: true })} />
      <span className="grow">
        {words.seats(section, row)} <span className="soft mono">{id}</span>
      </span>
      <span>{words.each(money(price + fees))}</span>
      <span className="soft">{words.left(quantity)}</span>
    </label>
  );
}
