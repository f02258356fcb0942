import { Button, PasswordInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { fieldErrors } from '../api/field-errors.js';
import { askOnce } from '../api/http.js';
import { lengthOf, shortestPassword, signInOptionsQuery } from '../api/session.js';
import { errorText } from '../words/error-text.js';
import { signInWords } from './sign-in-words.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';

const words = signInWords.invitation;

/** The page of an `invite_url`. The token is in the fragment, which browsers send to nobody. */
export function InvitationPage() {
  const shortest = shortestPassword(useQuery(signInOptionsQuery).data);
  const [password, setPassword] = useState('');
  const [isShort, setShort] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = `${words.title} · Willcall`;
  }, []);
  const accept = useMutationOnce({
    mutationFn: () => askOnce('POST invitations/accept', { body: { token: window.location.hash.slice(1), password } }),
  });
  const { password: unfit } = fieldErrors(accept.error, ['password']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isTooShort = lengthOf(password) < shortest;
    setShort(isTooShort);
    if (!isTooShort) accept.mutate();
    else field.current?.focus();
  };
  return (
    <main className="sign-in">
      <form onSubmit={submit} noValidate>
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
              description={words.hint(shortest)}
              autoComplete="new-password"
              ref={field}
              autoFocus
              value={password}
              error={isShort ? words.tooShort(shortest) : unfit}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            />
            {accept.error && unfit === undefined && (
              <div className="alert" role="alert">
                {textOf(accept.error)}
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

function textOf(error: Error): string {
  const isInvalid = error instanceof ApiError && error.status >= 400 && error.status < 429;
  return isInvalid ? words.invalid : errorText(error);
}
