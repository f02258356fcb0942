import { Checkbox, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { BuyerChange, OrderDetail } from '#orders/order.contract';
import { correctBuyer } from '../../api/order-changes.js';
import { Dialog } from '../../frame/dialog.js';
import { FormButtons } from '../../frame/form-buttons.js';
import { deskWords as words } from './order-desk-words.js';
import { type BuyerField, buyerFieldsOf } from './buyer-fields.js';
import { ChangeFailure } from './change-failure.js';
import { useOrderChange } from './use-order-change.js';
import { LONGEST_BUYER_TEXT } from '#orders/order.limits';
import { useSeenVersion } from './use-seen-version.js';

const CONTACT = ['first_name', 'last_name', 'email', 'phone'] as const;
const ADDRESS = ['address1', 'address2', 'city', 'state', 'zip', 'country'] as const;

type Props = Readonly<{
  order: OrderDetail;
  /** The revealed data, or else the masked data, which the empty fields show as a hint. */
  known: Readonly<Record<string, unknown>>;
  onClose: () => void;
  onDone: () => void;
}>;

/** Corrects the buyer without revealing the data: empty fields stay as they are. */
export function BuyerForm({ order, known, onClose, onDone }: Props) {
  const [typed, setTyped] = useState<Partial<Record<BuyerField, string>>>({});
  const [tells, setTells] = useState(true);
  const [wrong, setWrong] = useState<Partial<Record<BuyerField | 'form', string>>>({});
  const { version, renew } = useSeenVersion(order);
  const save = useOrderChange(
    order.id,
    (body: BuyerChange) => correctBuyer({ ...order, version }, body),
    onDone,
    renew,
  );
  const before = buyerFieldsOf(known, order);
  const text = (name: BuyerField) => typed[name]?.trim() ?? '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problems(text);
    setWrong(found);
    if (Object.keys(found).length > 0) return;
    const address = filled(ADDRESS, text);
    save.mutate({
      ...filled(CONTACT, text),
      ...(Object.keys(address).length > 0 && { address }),
      ...(tells && order.pings.length > 0 && { send_ping: true }),
    });
  };
  const field = (name: BuyerField) => (
    <TextInput
      key={name}
      label={words.buyerField[name]}
      placeholder={before[name]}
      value={typed[name] ?? ''}
      error={wrong[name]}
      maxLength={name === 'country' ? 2 : LONGEST_BUYER_TEXT}
      {...(name === 'first_name' && { 'data-autofocus': true })}
      onChange={({ currentTarget }) => {
        const { value } = currentTarget;
        setTyped((all) => ({ ...all, [name]: name === 'country' ? value.toUpperCase() : value }));
      }}
    />
  );
  return (
    <Dialog title={words.correctBuyer} size="md" typed={{ typed, tells }} isPending={save.isPending} onClose={onClose}>
      <form className="stack" onSubmit={submit} noValidate>
        <p className="soft small">{words.buyerHint}</p>
        <div className="field-pairs">{CONTACT.map(field)}</div>
        <div className="field-pairs">{ADDRESS.map(field)}</div>
        {order.pings.length > 0 && (
          <Checkbox
            size="xs"
            label={words.tellPlatform}
            checked={tells}
            onChange={({ currentTarget }) => setTells(currentTarget.checked)}
          />
        )}
        {wrong.form !== undefined && (
          <div className="alert" role="alert">
            {wrong.form}
          </div>
        )}
        <ChangeFailure error={save.error} stale={words.changed} />
        <FormButtons cancel={words.cancel} submit={words.apply} isPending={save.isPending} />
      </form>
    </Dialog>
  );
}

function filled<Name extends BuyerField>(names: readonly Name[], text: (name: Name) => string) {
  const found: { [One in Name]?: string } = {};
  for (const name of names) if (text(name) !== '') found[name] = text(name);
  return found;
}

function problems(text: (name: BuyerField) => string): Partial<Record<BuyerField | 'form', string>> {
  const email = text('email');
  const country = text('country');
  return {
    ...([...CONTACT, ...ADDRESS].every((name) => text(name) === '') && { form: words.nothingToCorrect }),
    ...(email !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && { email: words.emailWrong }),
    ...(country !== '' && !/^[A-Z]{2}$/.test(country) && { country: words.countryWrong }),
  };
}
