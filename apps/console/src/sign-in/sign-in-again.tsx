import { Button, Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { isSessionExpired, onSessionChange, signedInAgain } from '../api/expired-session.js';
import { addressOf } from '../api/http.js';
import { isSignedInElsewhere, sessionQuery } from '../api/session.js';
import { mayLeave } from '../frame/unsaved.js';
import { signInWords as words } from './sign-in-words.js';
import { SignInForm } from './sign-in-form.js';

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
  return (
    <Modal
      opened={expired && session != null}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={words.again}
      zIndex={400}
    >
      <div className="sign-in-again">
        <SignInForm
          title={<p className="soft">{words.againHint(session?.idle_minutes ?? 0)}</p>}
          {...(session && { knownEmail: session.operator.email })}
          onSignedIn={signedInAgain}
        >
          {session?.proof.includes('openid') && (
            // In a tab of its own: this page would lose what is written in it.
            <Button
              component="a"
              variant="default"
              target="_blank"
              href={addressOf('GET session/openid', { query: { next: '/' } })}
            >
              {words.openid}
            </Button>
          )}
          <button type="button" className="link-button small" onClick={() => void leave()}>
            {words.otherPerson}
          </button>
        </SignInForm>
      </div>
    </Modal>
  );
}
