import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { askOnce } from '../api/http.js';
import { errorText } from '../words/error-text.js';
import { signInWords } from '../words/sign-in.js';

const words = signInWords.invitation;
const SHORTEST = 8;

/** The page of an `invite_url`. The token is in the fragment, which browsers send to nobody. */
export function InvitationPage() {
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState('');
  const accept = useMutation({
    mutationFn: () =>
      askOnce('invitations/accept', { method: 'POST', body: { token: window.location.hash.slice(1), password } }),
    onError: (error) => {
      const invalid = error instanceof ApiError && error.status >= 400 && error.status < 429;
      setProblem(invalid ? words.invalid : errorText(error));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setProblem(password.length < SHORTEST ? words.tooShort : '');
    if (password.length >= SHORTEST) accept.mutate();
  };
  return (
    <main className="sign-in">
      <form onSubmit={submit}>
        <h1>{words.title}</h1>
        {accept.isSuccess ? (
          <>
            <p role="status">{words.done}</p>
            <Link to="/sign-in">{signInWords.signIn}</Link>
          </>
        ) : (
          <>
            <PasswordInput
              label={signInWords.password}
              description={words.hint}
              autoComplete="new-password"
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
            {problem !== '' && (
              <div className="alert" role="alert">
                {problem}
              </div>
            )}
            <Button type="submit" size="sm" loading={accept.isPending}>
              {words.save}
            </Button>
          </>
        )}
      </form>
    </main>
  );
}
