import { Button, Modal } from '@mantine/core';
import type { Session } from '#accounts/operator.contract';
import { endProof } from '../api/fresh-proof.js';
import { addressOf } from '../api/http.js';
import { useHiddenBackground } from '../frame/use-hidden-background.js';
import { confirmIdentityWords as words } from './confirm-identity-words.js';
import { ConfirmIdentityForm } from './confirm-identity-form.js';

export function ConfirmIdentityDialog({ session: { proof, operator } }: Readonly<{ session: Session }>) {
  useHiddenBackground();
  return (
    // A dialog below would take Escape for itself: the form looks at the key. Two headers of dialogs would be two banners of one page.
    <Modal.Root
      opened
      onClose={() => endProof(false)}
      closeOnEscape={false}
      closeOnClickOutside={false}
      centered
      lockScroll={false}
      zIndex={390}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={words.title}>
        <Modal.Body>
          <div className="stack" onKeyDown={({ key }) => key === 'Escape' && endProof(false)}>
            <h2>{words.title}</h2>
            <p className="soft">{words.hint}</p>
            {proof.length === 0 && <p role="alert">{words.none}</p>}
            {proof.includes('password') && <ConfirmIdentityForm operator={operator} />}
            {proof.length > 1 && <p className="or soft small">{words.or}</p>}
            {proof.includes('openid') && (
              <>
                <p className="soft small">{words.openidHint}</p>
                {/* A tab of its own: this page would lose what is written in it. */}
                <Button
                  component="a"
                  variant="default"
                  target="_blank"
                  href={addressOf('GET session/openid', { query: { confirm: 'true' } })}
                  data-mantine-stop-propagation="true"
                >
                  {words.openid}
                </Button>
              </>
            )}
            {!proof.includes('password') && (
              <div className="row end">
                <Button variant="default" onClick={() => endProof(false)} data-mantine-stop-propagation="true">
                  {words.cancel}
                </Button>
              </div>
            )}
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
