import { Button, Modal } from '@mantine/core';
import type { Session } from '#accounts/operator.contract';
import { signedInAgain } from '../api/expired-session.js';
import { addressOf } from '../api/http.js';
import { SignInForm } from './sign-in-form.js';
import { signInWords as words } from './sign-in-words.js';

type Props = Readonly<{ session: Session; onOtherPerson: () => void }>;

export function SignInDialog({ session: { idle_minutes: idle, operator, proof }, onOtherPerson }: Props) {
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={words.again}
      zIndex={400}
    >
      <div className="sign-in-again">
        <SignInForm
          title={<p className="soft">{words.againHint(idle)}</p>}
          knownEmail={operator.email}
          onSignedIn={signedInAgain}
        >
          {proof.includes('openid') && (
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
          <button type="button" className="link-button small" onClick={onOtherPerson}>
            {words.otherPerson}
          </button>
        </SignInForm>
      </div>
    </Modal>
  );
}
