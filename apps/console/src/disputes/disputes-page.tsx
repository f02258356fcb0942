import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Dispute } from '#money/dispute.contract';
import { type Asked, DataTable } from '../frame/data-table.js';
import { FilterSelect } from '../frame/filter-select.js';
import { OrderLink } from '../frame/order-link.js';
import { PageHead } from '../frame/page-head.js';
import { Time } from '../frame/time.js';
import { TimeLeft } from '../frame/time-left.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { money } from '../words/formats.js';
import { DisputeState, kindText, reasonText } from './dispute-text.js';
import { disputeWords as words } from './dispute-words.js';
import { MoreButton } from '../frame/more-button.js';

const PAGE = 50;
const DAY_MS = 24 * 3_600_000;
const EVERY_MS = 10_000;
const ENDED = ['sent', 'won', 'lost', 'withdrawn'] as const;
const OPEN = 'open' as const;

/** The disputes of all orders, first those that wait for an answer. The address says which. */
export function DisputesPage() {
  const navigate = useNavigate();
  const search = useSearch({ from: '/frame/disputes' });
  const { state = '', due = '' } = search;
  const dueBefore = useMemo(() => dueBeforeOf(due), [due]);
  const wanted = state === 'all' ? undefined : (ENDED.find((one) => one === state) ?? OPEN);
  const query = { limit: PAGE, ...(wanted && { state: wanted }), ...(dueBefore && { due_before: dueBefore }) };
  const list = usePageQuery('GET disputes', { query }, ({ disputes }) => disputes, { refetchInterval: EVERY_MS });
  const show = (next: Readonly<{ state: string; due: string }>) =>
    void navigate({
      to: '/disputes',
      search: { ...(next.state && { state: next.state }), ...(next.due && { due: next.due }) },
    });
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint} />
      <div className="filters">
        <FilterSelect
          label={words.state}
          options={words.states}
          chosen={state}
          onChoose={(chosen) => show({ state: chosen, due })}
        />
        <FilterSelect
          label={words.due}
          options={words.dues}
          chosen={due}
          onChoose={(chosen) => show({ state, due: chosen })}
        />
      </div>
      <DisputeTable list={list} empty={state === '' && due === '' ? words.none : words.noneOf} />
      <MoreButton list={list}>{words.more}</MoreButton>
    </div>
  );
}

/** Undefined if it may be due at any time. */
function dueBeforeOf(days: string): string | undefined {
  if (!words.dues.some(([value]) => value === days && value !== '')) return undefined;
  return new Date(Date.now() + Number(days) * DAY_MS).toISOString();
}

type TableProps = Readonly<{ list: Asked & Readonly<{ rows: readonly Dispute[] }>; empty: string }>;

function DisputeTable({ list, empty }: TableProps) {
  const { column } = words;
  return (
    <DataTable
      label={words.title}
      rows={list.rows}
      keyOf={({ id }) => id}
      empty={empty}
      query={list}
      columns={[
        {
          id: 'what',
          name: column.what,
          cell: (dispute) => (
            <span className="two-lines">
              <Link to="/disputes/$id" params={{ id: dispute.id }}>
                {kindText(dispute)}
              </Link>
              <span className="soft small">{reasonText(dispute)}</span>
            </span>
          ),
        },
        { id: 'order', name: column.order, cell: ({ order_id: id }) => <OrderLink id={id} /> },
        { id: 'amount', name: column.amount, end: true, cell: ({ amount, currency }) => money(amount, currency) },
        { id: 'state', name: column.state, cell: (dispute) => <DisputeState dispute={dispute} /> },
        {
          id: 'due',
          name: column.due,
          cell: ({ state, due_at: due }) => (state !== OPEN || due === null ? '–' : <TimeLeft until={due} />),
        },
        { id: 'opened', name: column.opened, cell: ({ opened_at: at }) => <Time at={at} /> },
      ]}
    />
  );
}
