import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { MoneyTask } from '#money/money-task.contract';
import { balancesQuery } from '../api/money.js';
import { type Asked, DataTable } from '../frame/data-table.js';
import { NamedText } from '../frame/named-text.js';
import { OrderLink } from '../frame/order-link.js';
import { ShortId } from '../frame/short-id.js';
import { Time } from '../frame/time.js';
import { TimeLeft } from '../frame/time-left.js';
import { money } from '../words/formats.js';
import { moneyWords } from './money-words.js';

const words = moneyWords.tasks;

type Props = Readonly<{
  list: Asked & Readonly<{ rows: readonly MoneyTask[] }>;
  empty: string;
  /** Absent for those who may not end a task. */
  onEnd?: (task: MoneyTask) => void;
}>;

/** Tasks with both sides of what differs. */
export function TaskTable({ list, empty, onEnd }: Props) {
  const side = useSideText();
  const { column } = words;
  return (
    <DataTable
      label={words.title}
      rows={list.rows}
      keyOf={({ id }) => id}
      empty={empty}
      query={list}
      columns={[
        { id: 'what', name: column.what, cell: (task) => <What task={task} /> },
        {
          id: 'order',
          name: column.order,
          cell: ({ order_id: id, reference }) =>
            id === null ? reference !== null && <ShortId id={reference} /> : <OrderLink id={id} />,
        },
        { id: 'ours', name: column.ours, end: true, cell: ({ ours }) => side(ours) },
        { id: 'theirs', name: column.theirs, end: true, cell: ({ theirs }) => side(theirs) },
        { id: 'due', name: column.due, cell: (task) => <Due task={task} /> },
        { id: 'opened', name: column.opened, cell: ({ opened_at: at }) => <Time at={at} /> },
        {
          id: 'end',
          name: '',
          end: true,
          cell: (task) =>
            onEnd &&
            task.done_at === null && (
              <Button variant="default" size="compact-xs" onClick={() => onEnd(task)}>
                <NamedText text={words.end} name={words.endOf(words.kind[task.kind], task.order_id ?? task.id)} />
              </Button>
            ),
        },
      ]}
    />
  );
}

function What({ task: { kind } }: Readonly<{ task: MoneyTask }>) {
  return (
    <span className="two-lines">
      {kind === 'dispute' ? <Link to="/disputes">{words.kind[kind]}</Link> : <span>{words.kind[kind]}</span>}
      <span className="soft small">{words.what[kind]}</span>
    </span>
  );
}

function Due({ task: { due_at: due, done_at: done } }: Readonly<{ task: MoneyTask }>) {
  if (done !== null)
    return (
      <>
        {words.column.done} <Time at={done} />
      </>
    );
  return due === null ? '–' : <TimeLeft until={due} />;
}

/** One side of a task: an amount in the currency of the installation, a text, or nothing. */
export function useSideText(): (side: MoneyTask['ours']) => string {
  const { data, isPending } = useQuery(balancesQuery());
  return (side) => {
    if (typeof side !== 'number') return side ?? '–';
    return isPending ? '' : money(side, data?.[0]?.currency);
  };
}
