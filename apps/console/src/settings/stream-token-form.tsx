import { Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { IssuedStreamToken } from '#contracts/backoffice/stream-token';
import { fieldErrors } from '../api/field-errors.js';
import { ask } from '../api/http.js';
import { Failure } from '../frame/failure.js';
import { FormButtons } from '../frame/form-buttons.js';
import { keyWords } from '../words/keys.js';
import { settingsWords } from '../words/settings.js';
import { IssuedSecret } from './issued-secret.js';

const words = keyWords.stream;

export function StreamTokenForm({ onClose }: Readonly<{ onClose: () => void }>) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [isMissing, setMissing] = useState(false);
  const create = useMutation({
    mutationFn: () => ask<IssuedStreamToken>('stream-tokens', { method: 'POST', body: { name: name.trim() } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['stream-tokens'] }),
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(name.trim() === '');
    if (name.trim() !== '') create.mutate();
  };
  if (create.data) {
    return (
      <Modal opened onClose={onClose} title={words.add}>
        <IssuedSecret onClose={onClose} values={[{ name: words.token, value: create.data.token }]}>
          {words.once}
        </IssuedSecret>
      </Modal>
    );
  }
  const { name: wrongName } = fieldErrors(create.error, ['name']);
  return (
    <Modal opened onClose={onClose} title={words.add}>
      <form className="stack" onSubmit={submit} noValidate>
        <TextInput
          label={words.name}
          description={words.nameHint}
          autoComplete="off"
          value={name}
          error={isMissing ? words.missing : wrongName}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          data-autofocus
        />
        {create.error && wrongName === undefined && <Failure error={create.error} />}
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
