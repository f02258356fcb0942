import type { OrderSummary } from '#orders/order.contract';
import { ShowName } from '../frame/show-name.js';
import { DataTable } from '../frame/data-table.js';
import { MoreButton } from '../frame/more-button.js';
import { OrderLink } from '../frame/order-link.js';
import { Status } from '../frame/status.js';
import { Time } from '../frame/time.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { CardCell, PlaceCell } from '../orders/found-cells.js';
import { money } from '../words/formats.js';
import { buyerWords as words } from './buyer-words.js';

const PAGE = 50;

/** All orders of the buyer, newest first. */
export function BuyerOrders({ id }: Readonly<{ id: string }>) {
  const request = { path: { id }, query: { limit: PAGE } };
  const list = usePageQuery('GET buyers/{id}/orders', request, ({ orders }) => orders);
  const { column } = words;
  return (
    <>
      <DataTable<OrderSummary>
        label={words.list}
        rows={list.rows}
        keyOf={(order) => order.id}
        empty={words.noOrders}
        query={list}
        columns={[
          { id: 'order', name: column.order, cell: (order) => <OrderLink id={order.id} /> },
          { id: 'status', name: column.status, cell: ({ status }) => <Status status={status} /> },
          { id: 'show', name: column.show, cell: ({ product }) => <ShowName id={product.event_id} /> },
          {
            id: 'seats',
            name: column.seats,
            cell: (order) => (
              <span className="nowrap">
                <PlaceCell order={order} />
              </span>
            ),
          },
          { id: 'total', name: column.total, end: true, cell: ({ total }) => money(total) },
          { id: 'card', name: column.card, cell: (order) => <CardCell order={order} /> },
          { id: 'seller', name: column.seller, cell: ({ seller }) => seller ?? '–' },
          { id: 'placed', name: column.placed, cell: ({ placed_at: at }) => <Time at={at} /> },
        ]}
      />
      <MoreButton list={list}>{words.more}</MoreButton>
    </>
  );
}
