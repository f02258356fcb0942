import { FlexRender, type Row } from '@tanstack/react-table';
import { memo, useEffect, useRef } from 'react';
import type { OrderSummary } from '#contracts/backoffice/order';
import { ordersWords as words } from '../words/orders.js';
import type { features } from './order-columns.js';

/** A pointer that only passes, e.g. while the list scrolls under it, must not load the order. */
const HOVER_MS = 80;

export type RowHandlers = Readonly<{
  onActive: (index: number) => void;
  onSelect: (id: string) => void;
  onHover: (order: OrderSummary) => void;
  onOpen: (order: OrderSummary) => void;
}>;

type Props = RowHandlers &
  Readonly<{
    row: Row<typeof features, OrderSummary>;
    index: number;
    /** Widths, as CSS writes them. */
    columns: string;
    top: number;
    height: number;
    isActive: boolean;
    isSelected: boolean;
  }>;

function OrderRowOnce({ row, index, columns, top, height, isActive, isSelected, ...on }: Props) {
  const order = row.original;
  const hover = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(hover.current), []);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`orders-row${isActive ? ' active' : ''}${isSelected ? ' selected' : ''}`}
      style={{ gridTemplateColumns: columns, height, transform: `translateY(${top}px)` }}
      onMouseEnter={() => (hover.current = setTimeout(() => on.onHover(order), HOVER_MS))}
      onMouseLeave={() => clearTimeout(hover.current)}
      onClick={(event) => {
        if ((event.target as HTMLElement).closest('a, button, input, label')) return;
        on.onActive(index);
        on.onOpen(order);
      }}
    >
      <span role="cell" className="cell-select">
        <input
          type="checkbox"
          aria-label={words.select(order.id)}
          checked={isSelected}
          onChange={() => on.onSelect(order.id)}
        />
      </span>
      {row.getAllCells().map((cell) => (
        <span role="cell" key={cell.id} className={`cell-${cell.column.id}`}>
          <FlexRender cell={cell} />
        </span>
      ))}
    </div>
  );
}

/** The table makes all rows again when one order changes. Without this, all of them would be drawn again. */
export const OrderRow = memo(OrderRowOnce, ({ row, ...before }, { row: nextRow, ...after }) => {
  const names = Object.keys(after) as (keyof typeof after)[];
  return row.original === nextRow.original && names.every((name) => before[name] === after[name]);
});
