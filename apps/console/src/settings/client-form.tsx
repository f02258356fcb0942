import { Modal, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { IssuedClientSecret } from '#contracts/backoffice/platform-client';
import { fieldErrors } from '../api/field-errors.js';
import { ask } from '../api/http.js';
import { Failure } from '../frame/failure.js';
import { FormButtons } from '../frame/form-buttons.js';
import { clientWords as words } from '../words/clients.js';
import { settingsWords } from '../words/settings.js';
import { IssuedSecret } from './issued-secret.js';

const FIELDS = ['name', 'client_id', 'secret'] as const;
const TEXTS = {
  name: { label: words.name, description: words.nameHint },
  client_id: { label: words.id, description: words.idHint },
  secret: { label: words.secret, description: words.secretHint },
} as const;

/** Adds a platform client and shows its secret once. */
export function ClientForm({ onClose }: Readonly<{ onClose: () => void }>) {
  const client = useQueryClient();
  const [typed, setTyped] = useState({ name: '', client_id: '', secret: '' });
  const [variant, setVariant] = useState('payment');
  const [isMissing, setMissing] = useState(false);
  const create = useMutation({
    mutationFn: () => {
      const filled = Object.entries(typed).filter(([, value]) => value.trim() !== '');
      const texts = Object.fromEntries(filled.map(([field, value]) => [field, value.trim()]));
      return ask<IssuedClientSecret>('clients', { method: 'POST', body: { ...texts, variant } });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['clients'] }),
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(typed.name.trim() === '');
    if (typed.name.trim() !== '') create.mutate();
  };
  if (create.data) {
    const { client_id, secret } = create.data;
    return (
      <Modal opened onClose={onClose} title={words.add}>
        <IssuedSecret
          onClose={onClose}
          values={[
            { name: words.id, value: client_id },
            { name: words.secret, value: secret },
          ]}
        >
          {words.once}
        </IssuedSecret>
      </Modal>
    );
  }
  const errors = fieldErrors(create.error, FIELDS);
  return (
    <Modal opened onClose={onClose} title={words.add}>
      <form className="stack" onSubmit={submit} noValidate>
        {FIELDS.map((field) => (
          <TextInput
            key={field}
            {...TEXTS[field]}
            autoComplete="off"
            value={typed[field]}
            error={field === 'name' && isMissing ? words.missing : errors[field]}
            onChange={({ currentTarget }) => setTyped({ ...typed, [field]: currentTarget.value })}
            {...(field === 'name' && { 'data-autofocus': true })}
          />
        ))}
        <NativeSelect
          label={words.variant}
          value={variant}
          data={[...words.variantOptions]}
          onChange={({ currentTarget }) => setVariant(currentTarget.value)}
        />
        {create.error && Object.keys(errors).length === 0 && <Failure error={create.error} />}
        <FormButtons
          cancel={settingsWords.cancel}
          submit={words.create}
          isPending={create.isPending}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
