import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionQuery } from '../api/session.js';
import { signInWords as words } from '../words/sign-in.js';
import { SignInForm } from './sign-in-form.js';

export function SignInPage() {
  const navigate = useNavigate();
  const router = useRouter();
  const { next } = useSearch({ strict: false });
  const { data: session } = useQuery(sessionQuery);
  useEffect(() => {
    document.title = words.title;
  }, []);
  useEffect(() => {
    if (!session) return;
    // Only an address of ours: a link must not lead elsewhere after signing in.
    if (typeof next === 'string' && /^\/(?![/\\])/.test(next)) router.history.replace(next);
    else void navigate({ to: '/orders', replace: true });
  }, [session, next, navigate, router]);
  return (
    <main className="sign-in">
      <SignInForm title={<h1>{words.title}</h1>} onSignedIn={() => undefined} />
    </main>
  );
}
