import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { IssuedApiToken } from '#contracts/backoffice/api-token';
import { ask } from '../api/http.js';
import { sessionQuery } from '../api/session.js';
import { CopyButton } from '../frame/copy-button.js';
import { Failure } from '../frame/failure.js';
import { FormButtons } from '../frame/form-buttons.js';
import { settingsWords } from '../words/settings.js';
import { Choices } from './choices.js';

const words = settingsWords.tokens;
const DAY_MS = 24 * 60 * 60 * 1_000;

export function TokenForm({ onClose }: Readonly<{ onClose: () => void }>) {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>(['orders:read']);
  const [days, setDays] = useState('90');
  const [missing, setMissing] = useState('');
  const create = useMutation({
    mutationFn: () => {
      const expires_at = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
      return ask<IssuedApiToken>('tokens', { method: 'POST', body: { name: name.trim(), scopes, expires_at } });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['tokens'] }),
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isMissing = name.trim() === '' || scopes.length === 0;
    setMissing(isMissing ? words.missing : '');
    if (!isMissing) create.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={words.add}>
      {create.data ? (
        <div className="stack">
          <p role="status">{words.once}</p>
          <p className="secret mono">
            <span className="grow">{create.data.token}</span>
            <CopyButton text={create.data.token} what={words.name} />
          </p>
          <Button onClick={onClose}>{settingsWords.close}</Button>
        </div>
      ) : (
        <form className="stack" onSubmit={submit} noValidate>
          <TextInput
            label={words.name}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            data-autofocus
          />
          <Choices
            legend={words.scopes}
            options={session?.permissions ?? []}
            nameOf={(scope) => scope}
            chosen={scopes}
            onChange={setScopes}
          />
          <NativeSelect
            label={words.days}
            value={days}
            onChange={({ currentTarget }) => setDays(currentTarget.value)}
            data={Object.entries(words.dayOptions).map(([value, label]) => ({ value, label }))}
          />
          {missing !== '' && (
            <div className="alert" role="alert">
              {missing}
            </div>
          )}
          {create.error && <Failure error={create.error} />}
          <FormButtons
            cancel={settingsWords.cancel}
            submit={words.create}
            isPending={create.isPending}
            onCancel={onClose}
          />
        </form>
      )}
    </Modal>
  );
}
