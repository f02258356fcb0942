import { NativeSelect } from '@mantine/core';
import type { Refund } from '#money/refund.contract';
import { isKeyOf, keysOf } from '../api/keys-of.js';
import { refundWords } from './refund-words.js';

type Props = Readonly<{ reason: Refund['reason']; onChange: (reason: Refund['reason']) => void }>;

/** Why something is refunded. */
export function RefundReasonField({ reason, onChange }: Props) {
  return (
    <NativeSelect
      label={refundWords.dialog.reason}
      value={reason}
      data={keysOf(refundWords.reason).map((value) => ({ value, label: refundWords.reason[value] }))}
      onChange={({ currentTarget: { value } }) => isKeyOf(refundWords.reason, value) && onChange(value)}
    />
  );
}
