import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionQuery } from '../api/session.js';
import { TotpSetup } from '../account/totp-setup.js';
import { useSignOut } from '../frame/use-sign-out.js';
import { frame } from '../words/frame.js';
import { signInWords } from './sign-in-words.js';
import { ConfirmIdentity } from './confirm-identity.js';
import { isOwnAddress } from './own-address.js';
import { SignInAgain } from './sign-in-again.js';

const words = signInWords.authenticator;

/** For people who must have an authenticator app and have none. They can do nothing else. */
export function AuthenticatorPage() {
  const navigate = useNavigate();
  const router = useRouter();
  const signOut = useSignOut();
  const search = useSearch({ from: '/authenticator' });
  const { next } = search;
  const { data: session } = useQuery(sessionQuery);
  useEffect(() => {
    document.title = `${words.title} · Willcall`;
  }, []);
  useEffect(() => {
    if (session === null) void navigate({ to: '/sign-in', replace: true });
  }, [session, navigate]);
  if (!session) return null;
  const go = () => {
    if (isOwnAddress(next)) router.history.replace(next);
    else void navigate({ to: '/orders', replace: true });
  };
  return (
    <main className="page narrow">
      <h1>{words.title}</h1>
      <p className="soft">{words.hint}</p>
      <TotpSetup session={session} />
      <div className="row">
        {!session.totp_required && <Button onClick={go}>{words.go}</Button>}
        <Button variant="default" onClick={signOut}>
          {frame.signOut}
        </Button>
      </div>
      <ConfirmIdentity />
      <SignInAgain />
    </main>
  );
}
