import { NativeSelect, type NativeSelectProps, Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { ListingDocument } from '#listings/listing.contract';
import { ApiError } from '../api/api-error.js';
import { ask } from '../api/http.js';
import { Dialog } from '../frame/dialog.js';
import { Failure } from '../frame/failure.js';
import { FormButtons } from '../frame/form-buttons.js';
import { useFocusAtFault } from '../frame/use-focus-at-fault.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { listingsWords } from './listing-words.js';
import { readers } from '../words/readers.js';
import { wordFor } from '../words/word-for.js';
import { DeliveryMethodRows } from './delivery-method-rows.js';
import { bodyOf, changeOf, draftOf, fieldErrors, type ListingDraft, type TextField } from './listing-fields.js';
import { PlaceAmounts } from './place-amounts.js';

const { form: words, column } = listingsWords;

/** Adds a listing, or changes the fields of one that somebody has edited. A rejected form keeps its texts. */
export function ListingForm({ listing, onClose }: Readonly<{ listing: ListingDocument | null; onClose: () => void }>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [before] = useState(() => draftOf(listing));
  const [draft, setDraft] = useState(before);
  const { texts } = draft;
  const [missing, setMissing] = useState(false);
  const id = listing?.listing_id ?? texts.listing_id.trim();
  const path = { listing_id: id };
  const save = useMutationOnce({
    mutationFn: () =>
      listing
        ? ask('PATCH listings/{listing_id}', { path, ifMatch: listing.version, body: changeOf(before, draft) })
        : ask('PUT listings/{listing_id}', { path, body: bodyOf(draft) }),
    onSuccess: async (saved) => {
      client.setQueryData(['listing', id], saved);
      await client.invalidateQueries({ queryKey: ['list'] });
      if (!listing) void navigate({ to: '/listings/$id', params: { id }, ignoreBlocker: true });
      onClose();
    },
    // The next try starts from the listing's current state.
    onError: () => listing && client.invalidateQueries({ queryKey: ['listing', id] }),
  });
  const errors = save.error instanceof ApiError ? fieldErrors(save.error.message) : {};
  const { form, focusFault } = useFocusAtFault(save.isPending);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(id === '');
    if (id !== '') save.mutate();
    focusFault();
  };
  const field = (name: TextField, hint?: string) => ({
    label: words.label[name] ?? name,
    value: texts[name],
    error: errors[name] === undefined ? undefined : (wordFor(words.invalid, name) ?? errors[name]),
    ...(hint !== undefined && { description: hint }),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setDraft((typed) => ({ ...typed, texts: { ...typed.texts, [name]: value } })),
  });
  return (
    <Dialog
      title={listing ? words.edit(listing.listing_id) : words.add}
      size="lg"
      typed={draft}
      isPending={save.isPending}
      onClose={onClose}
    >
      <form className="stack" ref={form} onSubmit={submit} noValidate>
        <ListingTexts
          listing={listing}
          field={field}
          idError={missing ? words.missing : errors.listing_id}
          texts={texts}
        />
        <PlaceAmounts
          legend={words.label['tax_rates'] ?? ''}
          hint={words.ratesHint}
          amount={words.percent}
          rows={draft.rates}
          onChange={(rates) => setDraft((typed) => ({ ...typed, rates }))}
        />
        {errors.tax_rates !== undefined && <p className="field-error">{words.invalid['tax_rates']}</p>}
        <DeliveryMethodRows
          rows={draft.deliveries}
          error={errors.delivery_methods === undefined ? undefined : words.invalid['delivery_methods']}
          onChange={(deliveries) => setDraft((typed) => ({ ...typed, deliveries }))}
        />
        <Textarea {...field('notes')} label={column.notes} description={readers.shoppers} autosize minRows={2} />
        {Object.keys(errors).length > 0 ? (
          <div className="alert" role="alert">
            {words.check}
          </div>
        ) : (
          save.error && <Failure error={save.error} />
        )}
        <FormButtons cancel={listingsWords.cancel} submit={words.save} isPending={save.isPending} />
      </form>
    </Dialog>
  );
}

type TextsProps = Readonly<{
  listing: ListingDocument | null;
  field: (name: TextField, hint?: string) => TextInputProps & NativeSelectProps;
  idError: string | undefined;
  texts: ListingDraft['texts'];
}>;

function ListingTexts({ listing, field, idError, texts }: TextsProps) {
  const isSpeculative = texts.speculative === 'true';
  return (
    <div className="form-grid">
      {!listing && <TextInput {...field('listing_id')} error={idError} data-autofocus />}
      <TextInput {...field('event_id')} />
      <TextInput {...field('section')} />
      <TextInput {...field('row')} />
      <TextInput {...field('seats', words.seatsHint)} />
      <TextInput {...field('quantity', listing ? words.heldHint(listing.held) : undefined)} inputMode="numeric" />
      <TextInput {...field('price')} inputMode="decimal" />
      <TextInput {...field('fees')} inputMode="decimal" />
      <TextInput {...field('wholesale_price')} inputMode="decimal" />
      <TextInput {...field('tax_rate', words.taxHint)} inputMode="decimal" />
      <TextInput {...field('split_rule', words.splitHint)} list="split-rules" />
      <datalist id="split-rules">
        {Object.entries(words.splits).map(([rule, label]) => (
          <option key={rule} value={rule} label={label} />
        ))}
      </datalist>
      <NativeSelect
        {...field('confirmation')}
        data={Object.entries(listingsWords.confirmation).map(([value, label]) => ({ value, label }))}
      />
      <NativeSelect
        {...field('speculative', isSpeculative ? words.speculativeHint : undefined)}
        data={Object.entries(words.inHand).map(([value, label]) => ({ value, label }))}
      />
      {(texts.confirmation === 'manual' || isSpeculative) && (
        <TextInput
          {...field('confirm_within_minutes', isSpeculative ? words.minutesHint : undefined)}
          inputMode="numeric"
        />
      )}
      <TextInput {...field('seller')} />
      <TextInput {...field('external_id')} />
    </div>
  );
}
