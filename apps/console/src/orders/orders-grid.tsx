import { useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { OrderSummary } from '#contracts/backoffice/order';
import { ordersWords as words } from '../words/orders.js';
import type { Sort } from './list-address.js';
import { OrderRow, type RowHandlers } from './order-row.js';
import { selectionWords } from '../words/selection.js';
import { type ColumnName, columnsOf, features, SORTED_BY, WIDTHS } from './order-columns.js';

const ROW_PX = 36;
const COMPACT_ROW_PX = 28;
const ROW_OF_PHONE_PX = 84;
const OVERSCAN = 12;
/** The next page is loaded so many rows before the end. */
const AHEAD = 30;

type Props = RowHandlers &
  Readonly<{
    orders: readonly OrderSummary[];
    columns: readonly ColumnName[];
    compact: boolean;
    sort: Sort;
    onSort: (sort: Sort) => void;
    /** The row that the keyboard acts on. */
    active: number;
    selected: ReadonlySet<string>;
    onSelectAll: (select: boolean) => void;
    onNearEnd: () => void;
    end: ReactNode;
  }>;

const PHONE = '(width < 700px)';
const isPhone = () => window.matchMedia(PHONE).matches;

/** A turned phone has other rows. */
function onTurn(changed: () => void): () => void {
  const media = window.matchMedia(PHONE);
  media.addEventListener('change', changed);
  return () => media.removeEventListener('change', changed);
}

/** Only the rows in view are in the document. */
export function OrdersGrid(props: Props) {
  const { orders, columns, compact, active, onNearEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const ofPhone = useSyncExternalStore(onTurn, isPhone);
  const height = ofPhone ? ROW_OF_PHONE_PX : compact ? COMPACT_ROW_PX : ROW_PX;
  const definitions = useMemo(() => columnsOf(columns), [columns]);
  const table = useTable({ features, columns: definitions, data: orders as OrderSummary[] });
  const rows = table.getRowModel().rows;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
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

  useEffect(() => virtual.measure(), [height]);

  const [headers] = table.getHeaderGroups();
  const widths = ['32px', ...(headers?.headers ?? []).map(({ id }) => WIDTHS[id] ?? '1fr')].join(' ');
  const isAllSelected = orders.length > 0 && orders.every(({ id }) => props.selected.has(id));
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
          <div role="row" aria-rowindex={1} style={{ gridTemplateColumns: widths }}>
            <span role="columnheader" className="cell-select">
              <span className="visually-hidden">{words.column.select}</span>
              <input
                type="checkbox"
                aria-label={selectionWords.selectAll}
                checked={isAllSelected}
                onChange={() => props.onSelectAll(!isAllSelected)}
              />
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
              <OrderRow
                key={order.id}
                row={row}
                index={item.index}
                columns={widths}
                top={item.start}
                height={item.size}
                isActive={item.index === active}
                isSelected={props.selected.has(order.id)}
                onActive={props.onActive}
                onSelect={props.onSelect}
                onHover={props.onHover}
                onOpen={props.onOpen}
              />
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
