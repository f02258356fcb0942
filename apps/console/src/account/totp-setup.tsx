import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Operator, TotpSetup as Setup } from '#contracts/backoffice/operator';
import { ask } from '../api/http.js';
import { Failure } from '../frame/failure.js';
import { Section } from '../frame/section.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { accountWords } from '../words/account.js';
import { TotpConfirmation } from './totp-confirmation.js';

const words = accountWords.totp;

/** Turns on codes at sign-in, or moves them to another app. */
export function TotpSetup({ operator }: Readonly<{ operator: Operator }>) {
  const [confirmed, setConfirmed] = useState(false);
  const start = useMutationOnce({
    mutationFn: () => ask<Setup>(`operators/${operator.id}/totp`, { method: 'POST' }),
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
          onConfirmed={() => {
            setConfirmed(true);
            start.reset();
          }}
        />
      ) : (
        <div className="row">
          <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
            {isOn ? words.change : words.setUp}
          </Button>
          {isOn && <span className="small soft">{words.changeHint}</span>}
        </div>
      )}
    </Section>
  );
}
