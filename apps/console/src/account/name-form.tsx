import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Operator } from '#accounts/operator.contract';
import { fieldErrors } from '../api/field-errors.js';
import { ask } from '../api/http.js';
import { sessionQuery } from '../api/session.js';
import { accountWords } from './account-words.js';
import { AccountForm } from './account-form.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';

const words = accountWords.name;

export function NameForm({ operator }: Readonly<{ operator: Operator }>) {
  const client = useQueryClient();
  const [name, setName] = useState(operator.name);
  const [missing, setMissing] = useState(false);
  const save = useMutationOnce({
    mutationFn: () => ask('PATCH operators/{id}', { path: { id: operator.id }, body: { name: name.trim() } }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  const submit = () => {
    setMissing(name.trim() === '');
    if (name.trim() !== '') save.mutate();
  };
  const { name: wrong } = fieldErrors(save.error, ['name']);
  return (
    <AccountForm
      words={words}
      error={wrong === undefined ? save.error : null}
      isPending={save.isPending}
      isSaved={save.isSuccess}
      isWritten={name.trim() !== operator.name}
      onSubmit={submit}
    >
      <TextInput
        label={words.label}
        autoComplete="name"
        value={name}
        error={missing ? words.missing : wrong}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </AccountForm>
  );
}
