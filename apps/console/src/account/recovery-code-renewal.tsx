import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Session } from '#accounts/operator.contract';
import { ask } from '../api/http.js';
import { sessionQuery } from '../api/session.js';
import { Failure } from '../frame/failure.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { accountWords } from './account-words.js';

const words = accountWords.recoveryCodes;

type Props = Readonly<{ session: Session; onIssued: (codes: readonly string[]) => void }>;

/** Says how many recovery codes are left, and makes new ones. */
export function RecoveryCodeRenewal({ session, onIssued }: Props) {
  const client = useQueryClient();
  const { operator, recovery_codes_left: left } = session;
  const renew = useMutationOnce({
    mutationFn: () => ask('POST operators/{id}/totp/recovery-codes', { path: { id: operator.id } }),
    onSuccess: async ({ recovery_codes: codes }) => {
      onIssued(codes);
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
    gcTime: 0,
  });
  return (
    <>
      <div className="row">
        <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate()}>
          {words.renew}
        </Button>
        <span className="small soft">{words.left(left)}</span>
      </div>
      {renew.error && <Failure error={renew.error} />}
    </>
  );
}
