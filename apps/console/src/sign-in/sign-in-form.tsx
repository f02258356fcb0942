import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { signIn } from '../api/session.js';
import { signInWords as words } from './sign-in-words.js';
import { isCodeNeeded, signInErrorText } from './sign-in-error.js';

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
      await signIn(client, {
        email: email.trim(),
        password,
        ...(needsCode && { code: code.trim().replace(/^(\d{3}) (\d{3})$/, '$1$2') }),
      });
      onSignedIn();
    } catch (thrown) {
      if (isCodeNeeded(thrown)) setNeedsCode(true);
      setError(signInErrorText(thrown, knownEmail !== undefined));
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
          autoComplete="one-time-code"
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
      )}
      {error !== '' && <Outcome text={error} isQuestion={needsCode && code === ''} />}
      <Button type="submit" size="sm" loading={busy}>
        {words.signIn}
      </Button>
      {children}
    </form>
  );
}

/** That a code is needed is no fault. */
function Outcome({ text, isQuestion }: Readonly<{ text: string; isQuestion: boolean }>) {
  return (
    <div className={isQuestion ? 'news' : 'alert'} role={isQuestion ? 'status' : 'alert'}>
      {text}
    </div>
  );
}
