import { NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { IssuedApiToken } from '#contracts/backoffice/api-token';
import { fieldErrors } from '../api/field-errors.js';
import { ask } from '../api/http.js';
import { sessionQuery } from '../api/session.js';
import { DialogForm } from '../frame/dialog-form.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { settingsWords } from '../words/settings.js';
import { Choices } from './choices.js';
import { IssuedSecret } from './issued-secret.js';

const words = settingsWords.tokens;
const FIELDS = ['name', 'scopes'] as const;
const DAY_MS = 24 * 60 * 60 * 1_000;

export function TokenForm({ onClose }: Readonly<{ onClose: () => void }>) {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>(['orders:read']);
  const [days, setDays] = useState('90');
  const [wrong, setWrong] = useState<Partial<Record<(typeof FIELDS)[number], string>>>({});
  const create = useMutationOnce({
    mutationFn: () => {
      const expires_at = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
      return ask<IssuedApiToken>('tokens', { method: 'POST', body: { name: name.trim(), scopes, expires_at } });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['tokens'] }),
    gcTime: 0,
  });
  const submit = () => {
    const found = {
      ...(name.trim() === '' && { name: words.missing.name }),
      ...(scopes.length === 0 && { scopes: words.missing.scopes }),
    };
    setWrong(found);
    if (Object.keys(found).length === 0) create.mutate();
  };
  if (create.data) {
    return (
      <IssuedSecret title={words.add} onClose={onClose} values={[{ name: words.token, value: create.data.token }]}>
        {words.once}
      </IssuedSecret>
    );
  }
  const errors = { ...fieldErrors(create.error, FIELDS), ...wrong };
  return (
    <DialogForm
      title={words.add}
      submit={words.create}
      cancel={settingsWords.cancel}
      error={Object.keys(errors).length === 0 ? create.error : null}
      typed={{ name, scopes, days }}
      isPending={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={words.name}
        autoComplete="off"
        value={name}
        error={errors.name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
      />
      <Choices
        legend={words.scopes}
        options={session?.permissions ?? []}
        nameOf={(scope) => scope}
        chosen={scopes}
        error={errors.scopes}
        onChange={setScopes}
      />
      <NativeSelect
        label={words.days}
        value={days}
        onChange={({ currentTarget }) => setDays(currentTarget.value)}
        data={Object.entries(words.dayOptions).map(([value, label]) => ({ value, label }))}
      />
    </DialogForm>
  );
}
