import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { OrderSummary } from '#orders/order.contract';
import { ordersWords as words } from './orders-words.js';
import type { Sort } from './list-address.js';
import { useDrawnRows } from './drawn-rows.js';
import { GridHead } from './grid-head.js';
import { type ColumnName, columnsOf, WIDTHS } from './order-columns.js';
import { OrderRow, type RowHandlers } from './order-row.js';

declare module 'react' {
  interface CSSProperties {
    /** The height of a row of the grid. */
    '--row'?: string;
  }
}

const ROW_PX = 36;
const COMPACT_ROW_PX = 28;
const ROW_OF_PHONE_PX = 104;
const OVERSCAN = 12;
/** A pointer that only passes, e.g. while the list scrolls under it, must not load the order. */
const HOVER_MS = 80;
/** The next page is loaded so many rows before the end. */
const AHEAD = 30;
const NOTHING_IN_VIEW = { startIndex: 0, endIndex: 0 };

type Props = Pick<RowHandlers, 'onActive' | 'onSelect' | 'onOpen'> &
  Readonly<{
    orders: readonly OrderSummary[];
    /** They answer an earlier question, and cannot be used. */
    isOld: boolean;
    columns: readonly ColumnName[];
    /** The rows say where the search met them. */
    isSearch: boolean;
    compact: boolean;
    sort: Sort;
    onSort: (sort: Sort) => void;
    /** The row that the keyboard acts on. */
    active: number;
    selected: ReadonlySet<string>;
    onSelectAll: (select: boolean) => void;
    /** The pointer rests on the order. */
    onHover: (order: OrderSummary) => void;
    onNearEnd: () => void;
    end: ReactNode;
  }>;

const phone = window.matchMedia('(width < 700px)');
const isPhone = () => phone.matches;

/** A turned phone has other rows. */
function onTurn(changed: () => void): () => void {
  phone.addEventListener('change', changed);
  return () => phone.removeEventListener('change', changed);
}

/** Tells of an order on which the pointer rests. */
function useHover(onHover: (order: OrderSummary) => void) {
  const hover = useRef<ReturnType<typeof setTimeout>>(undefined);
  const leave = useCallback(() => clearTimeout(hover.current), []);
  const enter = useCallback(
    (order: OrderSummary) => {
      leave();
      hover.current = setTimeout(() => onHover(order), HOVER_MS);
    },
    [leave, onHover],
  );
  useEffect(() => leave, [leave]);
  return { enter, leave };
}

/** Only the rows in view are in the document. */
export function OrdersGrid(props: Props) {
  const { orders, isOld, compact, active, onHover, onNearEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const ofPhone = useSyncExternalStore(onTurn, isPhone);
  const height = ofPhone ? ROW_OF_PHONE_PX : compact ? COMPACT_ROW_PX : ROW_PX;
  const columns = useMemo(() => columnsOf(props.columns, props.isSearch), [props.columns, props.isSearch]);
  const virtual = useVirtualizer({
    count: orders.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    // A task of its own for the rows, and not one with their layout and paint.
    useFlushSync: false,
  });
  const wanted = virtual.getVirtualItems().flatMap(({ index, start }) => {
    const order = orders[index];
    return order ? { order, index, top: start } : [];
  });
  const rows = useDrawnRows(wanted, virtual.range ?? NOTHING_IN_VIEW);
  const last = wanted.at(-1)?.index ?? 0;

  useEffect(() => {
    if (orders.length > 0 && last >= orders.length - AHEAD) onNearEnd();
  }, [last, orders.length, onNearEnd]);
  useEffect(() => {
    if (active >= 0) virtual.scrollToIndex(active, { align: 'auto' });
    // Only a move scrolls: the virtualizer changes with every row that arrives.
  }, [active]);

  useEffect(() => virtual.measure(), [height]);

  const { enter, leave } = useHover(onHover);

  const widths = ['32px', ...columns.map(({ id }) => WIDTHS[id] ?? '1fr')].join(' ');
  return (
    // The scrolling area is reached by Tab, for people without a pointer.
    <div className="orders-scroll" ref={scroller} tabIndex={0} aria-label={words.region} role="region">
      <div
        role="table"
        aria-label={words.title}
        aria-rowcount={orders.length + 1}
        className={`orders-table${compact ? ' compact' : ''}`}
        style={{ gridTemplateColumns: widths, '--row': `${height}px` }}
      >
        <GridHead
          columns={columns}
          sort={props.sort}
          onSort={props.onSort}
          isAllSelected={orders.length > 0 && orders.every(({ id }) => props.selected.has(id))}
          onSelectAll={props.onSelectAll}
        />
        <div
          role="rowgroup"
          style={{ height: virtual.getTotalSize(), position: 'relative' }}
          aria-busy={isOld}
          inert={isOld}
          {...(isOld && { className: 'stale' })}
        >
          {rows.map(({ order, index, top }) => (
            <OrderRow
              key={order.id}
              order={order}
              columns={columns}
              index={index}
              top={top}
              isActive={index === active}
              isSelected={props.selected.has(order.id)}
              onActive={props.onActive}
              onSelect={props.onSelect}
              onEnter={enter}
              onLeave={leave}
              onOpen={props.onOpen}
            />
          ))}
        </div>
      </div>
      {props.end}
    </div>
  );
}
