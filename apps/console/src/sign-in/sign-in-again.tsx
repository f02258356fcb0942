import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { isSessionExpired, onSessionChange, signedInAgain } from '../api/expired-session.js';
import { isSignedInElsewhere, sessionQuery } from '../api/session.js';
import { soonPart } from '../frame/lazy-part.js';
import { mayLeave } from '../frame/unsaved.js';

const SignInDialog = soonPart(async () => (await import('./sign-in-dialog.js')).SignInDialog);

/** Asks for the password over the page when the session has ended. The page keeps its contents. */
export function SignInAgain() {
  const expired = useSyncExternalStore(onSessionChange, isSessionExpired);
  const { data: session } = useQuery(sessionQuery);
  const client = useQueryClient();
  const navigate = useNavigate();
  const operatorId = session?.operator.id;
  useEffect(() => {
    if (!expired || operatorId === undefined) return;
    const look = async () => (await isSignedInElsewhere(client, operatorId)) && signedInAgain();
    const onFocus = () => void look();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [expired, operatorId, client]);
  const leave = async () => {
    if (!(await mayLeave())) return;
    signedInAgain();
    client.clear();
    void navigate({ to: '/sign-in', ignoreBlocker: true });
  };
  if (!expired || !session) return null;
  return <SignInDialog session={session} onOtherPerson={() => void leave()} />;
}
