import { Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { isSessionExpired, onSessionChange, signedInAgain } from '../api/expired-session.js';
import { sessionQuery } from '../api/session.js';
import { mayLeave } from '../frame/unsaved.js';
import { signInWords as words } from '../words/sign-in.js';
import { SignInForm } from './sign-in-form.js';

/** Asks for the password over the page when the session has ended. The page keeps its contents. */
export function SignInAgain() {
  const expired = useSyncExternalStore(onSessionChange, isSessionExpired);
  const { data: session } = useQuery(sessionQuery);
  const client = useQueryClient();
  const navigate = useNavigate();
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
          <button type="button" className="link-button small" onClick={() => void leave()}>
            {words.otherPerson}
          </button>
        </SignInForm>
      </div>
    </Modal>
  );
}
