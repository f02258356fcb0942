import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionQuery, signInOptionsQuery } from '../api/session.js';
import { addressOf } from '../api/http.js';
import { wordFor } from '../words/word-for.js';
import { signInWords as words } from './sign-in-words.js';
import { isOwnAddress } from './own-address.js';
import { SignInForm } from './sign-in-form.js';

export function SignInPage() {
  const navigate = useNavigate();
  const router = useRouter();
  const search = useSearch({ from: '/sign-in' });
  const { next, problem } = search;
  const { data: session } = useQuery(sessionQuery);
  const { data: options } = useQuery(signInOptionsQuery);
  const query = { next: typeof next === 'string' ? next : undefined };
  useEffect(() => {
    document.title = words.title;
  }, []);
  useEffect(() => {
    if (!session) return;
    if (isOwnAddress(next)) router.history.replace(next);
    else void navigate({ to: '/orders', replace: true });
  }, [session, next, navigate, router]);
  return (
    <main className="sign-in">
      <SignInForm title={<h1>{words.title}</h1>} onSignedIn={() => undefined}>
        {typeof problem === 'string' && (
          <div className="alert" role="alert">
            {wordFor(words.problems, problem) ?? words.problems.failed}
          </div>
        )}
        {options?.openid && (
          <>
            <p className="or soft small">{words.or}</p>
            {/* A link: the browser leaves this page. */}
            <Button component="a" variant="default" size="sm" href={addressOf('GET session/openid', { query })}>
              {words.openid}
            </Button>
          </>
        )}
      </SignInForm>
    </main>
  );
}
