import { memo } from 'react';
import type { OrderSummary } from '#orders/order.contract';
import { SpeculativeMark } from '../frame/speculative-mark.js';
import { SelectBox } from '../frame/select-box.js';
import { selection } from '../words/selection.js';
import type { Column } from './order-columns.js';

export type RowHandlers = Readonly<{
  onActive: (index: number) => void;
  onSelect: (id: string, isRange: boolean) => void;
  onEnter: (order: OrderSummary) => void;
  onLeave: () => void;
  onOpen: (order: OrderSummary) => void;
}>;

type Props = RowHandlers &
  Readonly<{
    order: OrderSummary;
    columns: readonly Column[];
    index: number;
    top: number;
    isActive: boolean;
    isSelected: boolean;
  }>;

function OrderRowOnce({ order, columns, index, top, isActive, isSelected, ...on }: Props) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`orders-row${isActive ? ' active' : ''}${isSelected ? ' selected' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
      onMouseEnter={() => on.onEnter(order)}
      onMouseLeave={on.onLeave}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('a, button, input, label')) return;
        on.onActive(index);
        on.onOpen(order);
      }}
    >
      <span role="cell" className="cell-select">
        <SelectBox
          name={selection.select(order.id)}
          checked={isSelected}
          onSelect={(isRange) => on.onSelect(order.id, isRange)}
        />
      </span>
      <Cells order={order} columns={columns} />
    </div>
  );
}

/** When one order changes, the other rows are not drawn again. */
export const OrderRow = memo(OrderRowOnce);

type CellsProps = Readonly<{ order: OrderSummary; columns: readonly Column[] }>;

/** A row that moves or is selected keeps them. */
const Cells = memo(({ order, columns }: CellsProps) =>
  columns.map(({ id, cell }) => (
    <span role="cell" key={id} className={`cell-${id}`}>
      {id === 'event' && order.speculative && (
        <>
          <SpeculativeMark />{' '}
        </>
      )}
      {cell(order)}
    </span>
  )),
);
