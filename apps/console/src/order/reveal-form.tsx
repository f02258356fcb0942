import { Button, TextInput } from '@mantine/core';
import { deskWords } from './edit/order-desk-words.js';
import { orderWords as words } from './order-words.js';
import { LONGEST_REVEAL_REASON } from '#orders/order.limits';
import type { useReveal } from './use-reveal.js';

type Props = Readonly<{ reveal: ReturnType<typeof useReveal>; onCorrect?: () => void }>;

/** The reason stands in the audit log. */
export function RevealForm({ reveal, onCorrect }: Props) {
  const { data, isPending, asking, setAsking, reason, setReason, missing, submit } = reveal;
  return (
    <form className="stack end-of-card" onSubmit={submit} noValidate>
      {asking && !data && (
        <TextInput
          label={words.reason}
          description={words.reasonHint}
          value={reason}
          error={missing}
          autoFocus
          maxLength={LONGEST_REVEAL_REASON}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      )}
      <div className="row">
        {!data && (
          <Button type="submit" variant="default" size="compact-sm" loading={isPending}>
            {words.reveal}
          </Button>
        )}
        {!asking && onCorrect && (
          <Button variant="default" size="compact-sm" onClick={onCorrect}>
            {deskWords.correctBuyer}
          </Button>
        )}
        {asking && (
          <button type="button" className="link-button small" onClick={() => setAsking(false)}>
            {words.dialog.cancel}
          </button>
        )}
      </div>
    </form>
  );
}
