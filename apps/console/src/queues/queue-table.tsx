import { useEffect, useRef } from 'react';
import type { QueuedOrder } from '#desk/queue.contract';
import { ShowName } from '../frame/show-name.js';
import { useNow } from '../frame/now.js';
import { Icon } from '../frame/icons.js';
import { OrderLink } from '../frame/order-link.js';
import { SelectBox } from '../frame/select-box.js';
import { Status } from '../frame/status.js';
import { TimeLeft } from '../frame/time-left.js';
import type { Selection } from '../frame/use-selection.js';
import { AnswerButtons } from '../orders/answering.js';
import { PlaceCell } from '../orders/found-cells.js';
import { exactTime, minuteTime, money } from '../words/formats.js';
import { selection as selectionWords } from '../words/selection.js';
import { queueWords as words } from './queue-words.js';
import { remedyOf } from './remedies.js';
import type { SteadyOrder } from './use-steady-orders.js';

type Props = Readonly<{
  label: string;
  rows: readonly SteadyOrder[];
  /** The row that the keyboard acts on. */
  active: number;
  onActive: (index: number) => void;
  selection: Selection;
  /** Missing for people who may not act. */
  onSnooze?: (order: QueuedOrder) => void;
  onRemedy?: (order: QueuedOrder) => void;
}>;

const COLUMNS = ['due', 'order', 'status', 'show', 'tickets', 'total', 'seller', 'assignee'] as const;

export function QueueTable({ label, rows, active, onActive, selection, onSnooze, onRemedy }: Props) {
  const { selected, setSelected, toggle } = selection;
  const ids = rows.flatMap(({ order, isGone }) => (isGone ? [] : [order.id]));
  const areAll = ids.length > 0 && ids.every((id) => selected.has(id));
  return (
    <div className="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="data queue-table" aria-label={label} role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader" className="col-select">
              <span className="visually-hidden">{selectionWords.column}</span>
              <SelectBox
                name={words.selectAll}
                checked={areAll}
                onSelect={() => setSelected(new Set(areAll ? [] : ids))}
              />
            </th>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" role="columnheader" className={`col-${name}`}>
                {words.column[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(({ order, isGone }, index) => (
            <QueueRow
              key={order.id}
              order={order}
              isGone={isGone}
              isActive={index === active}
              onActive={() => onActive(index)}
              isSelected={selected.has(order.id)}
              onSelect={(isRange) => toggle(order.id, isRange)}
              {...(onSnooze && { onSnooze: () => onSnooze(order) })}
              {...(onRemedy && { onRemedy: () => onRemedy(order) })}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowProps = SteadyOrder &
  Readonly<{
    isActive: boolean;
    onActive: () => void;
    isSelected: boolean;
    onSelect: (isRange: boolean) => void;
    onSnooze?: () => void;
    onRemedy?: () => void;
  }>;

function QueueRow({ order, isGone, isActive, onActive, isSelected, onSelect, onSnooze, onRemedy }: RowProps) {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const waits = order.confirm_by !== null && !order.overdue;
  const remedy = remedyOf(order);
  const isSnoozed = order.snoozed_until !== null;
  return (
    <tr ref={row} role="row" className={`${isActive ? 'active' : ''}${isGone ? ' gone' : ''}`} onClick={onActive}>
      <td role="cell" className="col-select">
        {!isGone && <SelectBox name={selectionWords.select(order.id)} checked={isSelected} onSelect={onSelect} />}
      </td>
      <td role="cell" data-name={words.column.due} className="col-due">
        <DueTime order={order} />
        {order.escalated_at !== null && (
          <span className="escalated" title={exactTime(order.escalated_at)}>
            {words.escalated}
          </span>
        )}
      </td>
      <td role="cell" data-name={words.column.order} className="col-order nowrap">
        <span>
          <OrderLink id={order.id} />
          {order.notes > 0 && <NotesMark count={order.notes} />}
        </span>
      </td>
      <td role="cell" data-name={words.column.status} className="col-status">
        <Status status={order.status} />
      </td>
      <td role="cell" data-name={words.column.show} className="col-show">
        <ShowName className="queue-show" id={order.product.event_id} />
      </td>
      <td role="cell" data-name={words.column.tickets} className="col-tickets">
        <span className="queue-place">
          <PlaceCell order={order} />
        </span>
      </td>
      <td role="cell" data-name={words.column.total} className="col-total">
        {money(order.total)}
      </td>
      <td role="cell" data-name={words.column.seller} className="col-seller">
        <span className="queue-seller soft">{order.seller ?? words.none}</span>
      </td>
      <td role="cell" data-name={words.column.assignee} className="col-assignee">
        <span className="queue-last">
          {isGone ? (
            <span className="soft">{words.gone}</span>
          ) : (
            <span className="queue-assignee">{order.assignee_name ?? <span className="soft">{words.none}</span>}</span>
          )}
          <span className="row-answers">
            {!isGone && waits && <AnswerButtons orderId={order.id} />}
            {!isGone && !waits && remedy && onRemedy && (
              <button type="button" aria-label={`${remedy.name} ${order.id}`} onClick={onRemedy}>
                {remedy.name}
              </button>
            )}
            {!isGone && onSnooze && (
              <button
                type="button"
                aria-label={isSnoozed ? words.backOf(order.id) : words.snoozeOf(order.id)}
                onClick={onSnooze}
              >
                {isSnoozed ? words.back : words.snooze}
              </button>
            )}
          </span>
        </span>
      </td>
    </tr>
  );
}

function NotesMark({ count }: Readonly<{ count: number }>) {
  return (
    <span className="notes-mark soft small" title={words.notes(count)}>
      <Icon lines="M5 4h14v11l-5 5H5zM14 20v-5h5M9 9h6" />
      <span aria-hidden="true">{count}</span>
      <span className="visually-hidden">{words.notes(count)}</span>
    </span>
  );
}

function DueTime({ order: { due_at: due, snoozed_until: until } }: Readonly<{ order: QueuedOrder }>) {
  const now = useNow(1_000);
  if (until !== null) {
    return (
      <time dateTime={until} title={exactTime(until)} className="soft">
        {words.until(minuteTime(until, now))}
      </time>
    );
  }
  if (due === null) return <span className="soft">{words.none}</span>;
  return <TimeLeft until={due} />;
}
