import { Button } from '@mantine/core';
import { labelAddress, printLabel } from '../../api/seat-delivery.js';
import { Failure } from '../../frame/failure.js';
import { saveFrom } from '../../frame/save-file.js';
import { deliveryWords as words } from './delivery-words.js';
import { useSeatChange } from './use-seat-change.js';

type Props = Readonly<{ orderId: string; isNext: boolean }>;

/** Makes the label of the parcel once, and opens it as often as somebody wants. */
export function LabelButton({ orderId, isNext }: Props) {
  const print = useSeatChange(
    orderId,
    () => printLabel(orderId),
    () => saveFrom(labelAddress(orderId), words.labelFile),
  );
  return (
    <>
      <div className="row">
        <Button
          size="compact-md"
          variant={isNext ? 'filled' : 'default'}
          loading={print.isPending}
          onClick={() => print.mutate(undefined)}
        >
          {isNext ? words.label : words.labelAgain}
        </Button>
        <span className="soft small" role="status">
          {print.isSuccess ? words.labelMade : words.labelHint}
        </span>
      </div>
      {print.error && <Failure error={print.error} />}
    </>
  );
}
