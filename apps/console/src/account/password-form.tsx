import { PasswordInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Operator } from '#accounts/operator.contract';
import { ApiError } from '../api/api-error.js';
import { fieldErrors } from '../api/field-errors.js';
import { ask } from '../api/http.js';
import { lengthOf, shortestPassword, signInOptionsQuery } from '../api/session.js';
import { accountWords } from './account-words.js';
import { AccountForm } from './account-form.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';

const words = accountWords.password;
const MINUTE_S = 60;

export function PasswordForm({ operator }: Readonly<{ operator: Operator }>) {
  const shortest = shortestPassword(useQuery(signInOptionsQuery).data);
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<{ current?: string; password?: string }>({});
  const save = useMutationOnce({
    mutationFn: () =>
      ask('PATCH operators/{id}', { path: { id: operator.id }, body: { password, current_password: current } }),
    onSuccess: () => {
      setCurrent('');
      setPassword('');
    },
    gcTime: 0,
  });
  const submit = () => {
    const found = {
      ...(current === '' && { current: words.missing }),
      ...(lengthOf(password) < shortest && { password: words.tooShort(shortest) }),
    };
    setWrong(found);
    if (Object.keys(found).length === 0) save.mutate();
  };
  const refused = currentRefused(save.error);
  const { password: unfit } = fieldErrors(save.error, ['password']);
  return (
    <AccountForm
      words={words}
      error={refused === undefined && unfit === undefined ? save.error : null}
      isPending={save.isPending}
      isSaved={save.isSuccess}
      isWritten={current + password !== ''}
      onSubmit={submit}
    >
      <input type="text" hidden readOnly autoComplete="username" value={operator.email} />
      <PasswordInput
        label={words.current}
        autoComplete="current-password"
        value={current}
        error={wrong.current ?? refused}
        onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
      />
      <PasswordInput
        label={words.new}
        description={words.newHint(shortest)}
        autoComplete="new-password"
        value={password}
        error={wrong.password ?? unfit}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
    </AccountForm>
  );
}

/** The error to show at the field of the current password. */
function currentRefused(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 429) return words.tooMany(String(Math.ceil((error.retryAfterS ?? MINUTE_S) / MINUTE_S)));
  return error.messages.some((message) => message.includes('current_password')) ? words.wrong : undefined;
}
