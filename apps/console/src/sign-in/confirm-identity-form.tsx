import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Operator } from '#accounts/operator.contract';
import { endProof } from '../api/fresh-proof.js';
import { confirmIdentity } from '../api/session.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { confirmIdentityWords as words } from './confirm-identity-words.js';
import { isCodeNeeded, signInErrorText } from './sign-in-error.js';

// A dialog below must not close by the Escape that closes this one.
const own = { 'data-mantine-stop-propagation': 'true' } as const;

export function ConfirmIdentityForm({ operator }: Readonly<{ operator: Operator }>) {
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [isMissing, setMissing] = useState(false);
  const confirm = useMutationOnce({
    mutationFn: () => confirmIdentity(client, { password, ...(code.trim() !== '' && { code: code.trim() }) }),
    onSuccess: () => endProof(true),
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(password === '');
    if (password !== '') confirm.mutate();
  };
  const error = isMissing ? words.missing : confirm.error && signInErrorText(confirm.error, true);
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <input type="text" hidden readOnly autoComplete="username" value={operator.email} />
      <PasswordInput
        label={words.password}
        autoComplete="current-password"
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        data-autofocus
        {...own}
      />
      {(operator.totp || isCodeNeeded(confirm.error)) && (
        <TextInput
          label={words.code}
          description={words.codeHint}
          autoComplete="one-time-code"
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          {...own}
        />
      )}
      {error && (
        <div className="alert" role="alert">
          {error}
        </div>
      )}
      <div className="row end">
        <Button variant="default" onClick={() => endProof(false)} {...own}>
          {words.cancel}
        </Button>
        <Button type="submit" loading={confirm.isPending} {...own}>
          {words.confirm}
        </Button>
      </div>
    </form>
  );
}
