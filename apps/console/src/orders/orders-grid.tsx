import { useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { OrderSummary } from '#contracts/backoffice/order';
import { ordersWords as words } from '../words/orders.js';
import type { Sort } from './list-address.js';
import { type ColumnName, columnsOf, features, SORTED_BY, WIDTHS } from './order-columns.js';

const ROW_PX = 36;
const COMPACT_ROW_PX = 28;
const ROW_OF_PHONE_PX = 84;
const OVERSCAN = 12;
/** How many rows before the end the next page is asked for. */
const AHEAD = 30;

type Props = Readonly<{
  orders: readonly OrderSummary[];
  columns: readonly ColumnName[];
  compact: boolean;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** The row that the keyboard acts on. */
  active: number;
  onActive: (index: number) => void;
  selected: ReadonlySet<string>;
  onSelect: (id: string) => void;
  onHover: (order: OrderSummary) => void;
  onOpen: (order: OrderSummary) => void;
  onNearEnd: () => void;
  end: ReactNode;
}>;

const isPhone = () => window.matchMedia('(width < 700px)').matches;

/** Only the rows in view are in the document. */
export function OrdersGrid(props: Props) {
  const { orders, columns, compact, active, onNearEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const definitions = useMemo(() => columnsOf(columns), [columns]);
  const table = useTable({ features, columns: definitions, data: orders as OrderSummary[] });
  const rows = table.getRowModel().rows;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isPhone() ? ROW_OF_PHONE_PX : compact ? COMPACT_ROW_PX : ROW_PX),
    overscan: OVERSCAN,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;

  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - AHEAD) onNearEnd();
  }, [last, rows.length, onNearEnd]);
  useEffect(() => {
    if (active >= 0) virtual.scrollToIndex(active, { align: 'auto' });
    // Only a move scrolls: the virtualizer changes with every row that arrives.
  }, [active]);

  useEffect(() => virtual.measure(), [compact]);

  const [headers] = table.getHeaderGroups();
  const shape = {
    gridTemplateColumns: ['32px', ...(headers?.headers ?? []).map(({ id }) => WIDTHS[id] ?? '1fr')].join(' '),
  };
  return (
    // The scrolling area is reached by Tab, for people without a pointer.
    <div className="orders-scroll" ref={scroller} tabIndex={0} aria-label={words.region} role="region">
      <div
        role="table"
        aria-label={words.title}
        aria-rowcount={rows.length + 1}
        className={`orders-table${compact ? ' compact' : ''}`}
      >
        <div role="rowgroup" className="orders-head">
          <div role="row" aria-rowindex={1} style={shape}>
            <span role="columnheader">
              <span className="visually-hidden">{words.column.select}</span>
            </span>
            {headers?.headers.map((header) => (
              <SortHeader key={header.id} id={header.id} sort={props.sort} onSort={props.onSort}>
                <table.FlexRender header={header} />
              </SortHeader>
            ))}
          </div>
        </div>
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {items.map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            const order = row.original;
            return (
              <div
                role="row"
                key={order.id}
                aria-rowindex={item.index + 2}
                className={`orders-row${item.index === active ? ' active' : ''}${props.selected.has(order.id) ? ' selected' : ''}`}
                style={{ ...shape, height: item.size, transform: `translateY(${item.start}px)` }}
                onMouseEnter={() => props.onHover(order)}
                onClick={(event) => {
                  if ((event.target as HTMLElement).closest('a, button, input, label')) return;
                  props.onActive(item.index);
                  props.onOpen(order);
                }}
              >
                <span role="cell" className="cell-select">
                  <input
                    type="checkbox"
                    aria-label={words.select(order.id)}
                    checked={props.selected.has(order.id)}
                    onChange={() => props.onSelect(order.id)}
                  />
                </span>
                {row.getAllCells().map((cell) => (
                  <span role="cell" key={cell.id} className={`cell-${cell.column.id}`}>
                    <table.FlexRender cell={cell} />
                  </span>
                ))}
              </div>
            );
          })}
        </div>
      </div>
      {props.end}
    </div>
  );
}

type SortProps = Readonly<{ id: string; sort: Sort; onSort: (sort: Sort) => void; children: ReactNode }>;

function SortHeader({ id, sort, onSort, children }: SortProps) {
  const field = SORTED_BY[id];
  if (field === undefined)
    return (
      <span role="columnheader" className={`cell-${id}`}>
        {children}
      </span>
    );
  const [sorted, direction] = sort.split('.');
  const isSorted = sorted === field;
  const next = field === 'due_at' ? 'due_at.asc' : `${field}.${isSorted && direction === 'desc' ? 'asc' : 'desc'}`;
  return (
    <span
      role="columnheader"
      className={`cell-${id}`}
      {...(isSorted && { 'aria-sort': direction === 'asc' ? ('ascending' as const) : ('descending' as const) })}
    >
      <button type="button" className="sort" onClick={() => onSort(next as Sort)}>
        {children}
        {isSorted && <span aria-hidden="true"> {direction === 'asc' ? '↑' : '↓'}</span>}
      </button>
    </span>
  );
}
