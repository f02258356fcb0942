import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Session } from '#accounts/operator.contract';
import { ask } from '../api/http.js';
import { Failure } from '../frame/failure.js';
import { Section } from '../frame/section.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { accountWords } from './account-words.js';
import { RecoveryCodeRenewal } from './recovery-code-renewal.js';
import { RecoveryCodeList } from './recovery-codes.js';
import { TotpConfirmation } from './totp-confirmation.js';

const words = accountWords.totp;

/** Turns on codes at sign-in, or moves them to another app. */
export function TotpSetup({ session }: Readonly<{ session: Session }>) {
  const { operator } = session;
  const [confirmed, setConfirmed] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const start = useMutationOnce({
    mutationFn: () => ask('POST operators/{id}/totp', { path: { id: operator.id } }),
    onMutate: () => setConfirmed(false),
    gcTime: 0,
  });
  const isOn = operator.totp || confirmed;
  return (
    <Section title={words.title} hint={isOn ? words.on : words.off}>
      <p role="status" className={confirmed ? 'news' : 'visually-hidden'}>
        {confirmed ? words.confirmed : ''}
      </p>
      {start.error && <Failure error={start.error} />}
      {start.data ? (
        <TotpConfirmation
          id={operator.id}
          setup={start.data}
          onCancel={() => start.reset()}
          onConfirmed={(issued) => {
            setConfirmed(true);
            setCodes(issued);
            start.reset();
          }}
        />
      ) : codes ? (
        <RecoveryCodeList codes={codes} onClose={() => setCodes(undefined)} />
      ) : (
        <>
          <div className="row">
            <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
              {isOn ? words.change : words.setUp}
            </Button>
            {isOn && <span className="small soft">{words.changeHint}</span>}
          </div>
          {operator.totp && <RecoveryCodeRenewal session={session} onIssued={setCodes} />}
        </>
      )}
    </Section>
  );
}
