import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { TotpSetup } from '#accounts/operator.contract';
import { ApiError } from '../api/api-error.js';
import { ask } from '../api/http.js';
import { sessionQuery } from '../api/session.js';
import { CopyButton } from '../frame/copy-button.js';
import { Failure } from '../frame/failure.js';
import { useUnsaved } from '../frame/unsaved.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { accountWords } from './account-words.js';
import { INVALID_FIELD } from '../api/error-codes.js';
import { QrCode } from './qr-code.js';

const words = accountWords.totp;

type Props = Readonly<{
  id: string;
  setup: TotpSetup;
  onCancel: () => void;
  onConfirmed: (codes: readonly string[]) => void;
}>;

/** Shows the new secret and asks for one of its codes, because a secret that was not scanned would lock the person out. */
export function TotpConfirmation({ id, setup, onCancel, onConfirmed }: Props) {
  const client = useQueryClient();
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState(false);
  const confirm = useMutationOnce({
    mutationFn: (digits: string) => ask('POST operators/{id}/totp/confirm', { path: { id }, body: { code: digits } }),
    onSuccess: async ({ recovery_codes: codes }) => {
      onConfirmed(codes);
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const digits = code.replace(/\s/g, '');
    const isComplete = /^\d{6}$/.test(digits);
    setMissing(!isComplete);
    if (isComplete) confirm.mutate(digits);
  };
  const leave = useUnsaved(confirm.isPending ? 'sending' : code === '' ? undefined : 'written');
  const isWrong = confirm.error instanceof ApiError && confirm.error.has(INVALID_FIELD);
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p>{words.scan}</p>
      <QrCode text={setup.otpauth_url} label={words.qr} />
      <p className="soft small">{words.orType}</p>
      <p className="secret mono">
        <span className="grow">{setup.secret}</span>
        <CopyButton text={setup.secret} what={words.key} />
      </p>
      <TextInput
        label={words.code}
        description={words.codeHint}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        error={missing ? words.missing : isWrong ? words.wrong : undefined}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
        autoFocus
      />
      {confirm.error && !isWrong && <Failure error={confirm.error} />}
      <div className="row end">
        <Button variant="default" onClick={() => leave(onCancel)}>
          {accountWords.cancel}
        </Button>
        <Button type="submit" loading={confirm.isPending}>
          {words.confirm}
        </Button>
      </div>
    </form>
  );
}
