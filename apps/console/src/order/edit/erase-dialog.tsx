import { Button, Modal } from '@mantine/core';
import type { OrderDetail } from '#contracts/backoffice/order';
import { erasePersonalData, isStale } from '../../api/order-changes.js';
import { Failure } from '../../frame/failure.js';
import { useHiddenBackground } from '../../frame/use-hidden-background.js';
import { deskWords as words } from '../../words/order-desk.js';
import { useOrderChange } from './use-order-change.js';

type Props = Readonly<{ order: OrderDetail; onClose: () => void; onDone: () => void }>;

/** Nobody can undo an erasure, so the dialog says so. */
export function EraseDialog({ order, onClose, onDone }: Props) {
  useHiddenBackground();
  const erase = useOrderChange(order.id, () => erasePersonalData(order), onDone);
  return (
    <Modal opened onClose={onClose} title={words.erase}>
      <div className="stack">
        <ul className="consequences">
          {words.eraseFollows.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {erase.error &&
          (isStale(erase.error) ? (
            <div className="alert" role="alert">
              {words.changed}
            </div>
          ) : (
            <Failure error={erase.error} />
          ))}
        <div className="row end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {words.cancel}
          </Button>
          <Button color="red" loading={erase.isPending} onClick={() => erase.mutate(undefined)}>
            {words.apply}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
