import type { OrderDetail } from '#orders/order.contract';
import { lazyPart } from '../frame/lazy-part.js';
import { Card } from './card.js';
import { deliveryWords as words } from './delivery/delivery-words.js';

const SeatTable = lazyPart(async () => (await import('./delivery/seat-table.js')).SeatTable);
const LabelButton = lazyPart(async () => (await import('./delivery/label-button.js')).LabelButton);

// The table comes later, and must not push down what is below.
const HEAD_PX = 34;
const ROW_PX = 41;

type Props = Readonly<{ order: OrderDetail; mayAct: boolean }>;

/** How far each seat is, and the label of the parcel. It is not there where it would say no more than the other cards. */
export function DeliveryCard({ order, mayAct }: Props) {
  const { type, next_action: next, seats = [] } = order.delivery;
  const hasLabel = mayAct && type === 'ship' && (next === 'print_label' || next === 'wait_for_pickup');
  const differ = areTold(seats);
  if (!hasLabel && !differ) return null;
  return (
    <Card wide title={words.title}>
      {hasLabel && (
        <div className="label-space">
          <LabelButton orderId={order.id} isNext={next === 'print_label'} />
        </div>
      )}
      {differ && (
        <div style={{ minHeight: HEAD_PX + ROW_PX * seats.length }} className="seat-space">
          <SeatTable orderId={order.id} seats={seats} mayAct={mayAct} />
        </div>
      )}
    </Card>
  );
}

/** Files alone stand in a card of their own. Here they count once some seats have one and others do not. */
function areTold(seats: NonNullable<OrderDetail['delivery']['seats']>): boolean {
  const withFile = seats.filter(({ file }) => file !== null).length;
  if (withFile > 0 && withFile < seats.length) return true;
  return seats.some(({ transfer, barcode }) => transfer !== null || barcode !== 'none');
}
