import { Button } from '@mantine/core';
import type { OrderDetail } from '#orders/order.contract';
import { erasePersonalData } from '../../api/order-changes.js';
import { deskWords as words } from './order-desk-words.js';
import { ChangeFailure } from './change-failure.js';
import { useOrderChange } from './use-order-change.js';
import { CancelButton, Dialog } from '../../frame/dialog.js';
import { useGone } from '../../frame/use-gone.js';
import { useSeenVersion } from './use-seen-version.js';

type Props = Readonly<{ order: OrderDetail; onClose: () => void; onDone: (news: string) => void }>;

/** Nobody can undo an erasure, so the dialog says so. */
export function EraseDialog({ order, onClose, onDone }: Props) {
  const { version, renew } = useSeenVersion(order);
  const erase = useOrderChange(
    order.id,
    () => erasePersonalData({ ...order, version }),
    () => onDone(words.erased),
    renew,
  );
  useGone(order.personal_data !== 'kept', erase, () => onDone(words.erasedBefore));
  return (
    <Dialog title={words.erase} typed={null} isPending={erase.isPending} onClose={onClose}>
      <div className="stack">
        <ul className="consequences">
          {words.eraseFollows.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <ChangeFailure error={erase.error} stale={words.changed} />
        <div className="row end">
          <CancelButton hasFocus>{words.eraseKeep}</CancelButton>
          <Button color="red" data-action="apply" loading={erase.isPending} onClick={() => erase.mutate(undefined)}>
            {words.erase}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
