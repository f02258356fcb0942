import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { signIn } from '../api/session.js';
import { errorText } from '../words/error-text.js';
import { signInWords as words } from '../words/sign-in.js';

const CODE_NEEDED = 40111;
const WRONG = 40110;

type Props = Readonly<{
  title: ReactNode;
  /** Set if the person is known. Then the form asks only for the password. */
  knownEmail?: string;
  onSignedIn: () => void;
  children?: ReactNode;
}>;

/** Asks for the code only when the server does. */
export function SignInForm({ title, knownEmail, onSignedIn, children }: Props) {
  const client = useQueryClient();
  const [email, setEmail] = useState(knownEmail ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const codeField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (needsCode) codeField.current?.focus();
  }, [needsCode]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() === '' || password === '') return setError(words.missing);
    setBusy(true);
    setError('');
    try {
      await signIn(client, { email: email.trim(), password, ...(needsCode && { code: code.replace(/\s/g, '') }) });
      onSignedIn();
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.has(CODE_NEEDED)) setNeedsCode(true);
      setError(textOf(thrown, knownEmail !== undefined));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      {title}
      {knownEmail === undefined && (
        <TextInput
          label={words.email}
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          data-autofocus
          autoFocus
        />
      )}
      <PasswordInput
        label={words.password}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        {...(knownEmail !== undefined && { 'data-autofocus': true })}
      />
      {needsCode && (
        <TextInput
          ref={codeField}
          label={words.code}
          description={words.codeHint}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
      )}
      {error !== '' && (
        <div
          className={needsCode && code === '' ? 'news' : 'alert'}
          role={needsCode && code === '' ? 'status' : 'alert'}
        >
          {error}
        </div>
      )}
      <Button type="submit" size="sm" loading={busy}>
        {words.signIn}
      </Button>
      {children}
    </form>
  );
}

function textOf(error: unknown, again: boolean): string {
  if (!(error instanceof ApiError)) return errorText(error);
  if (error.has(CODE_NEEDED)) return words.codeNeeded;
  if (error.has(WRONG)) return again ? words.wrongPassword : words.wrong;
  if (error.status === 429) return words.tooMany(Math.ceil((error.retryAfterS ?? 60) / 60));
  return errorText(error);
}
