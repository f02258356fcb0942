import type { LedgerEntries } from '#money/ledger.contract';
import { DataTable } from '../frame/data-table.js';
import { OrderLink } from '../frame/order-link.js';
import { Time } from '../frame/time.js';
import { usePageQuery } from '../frame/use-page-query.js';
import { money } from '../words/formats.js';
import { eventText } from './account-text.js';
import { saidAmount } from './balance-points.js';
import { moneyWords } from './money-words.js';
import { MoreButton } from '../frame/more-button.js';

const words = moneyWords.entries;
const PAGE = 20;
// An entry is in the list a moment after it was recorded: once its event has its place among all events.
const EVERY_MS = 5_000;

type Entry = LedgerEntries['entries'][number];

type Props = Readonly<{ account: string; label: string; empty: string }>;

/** What was booked on an account, newest first. */
export function EntryTable({ account, label, empty }: Props) {
  const request = { query: { account, limit: PAGE } };
  const options = { refetchInterval: EVERY_MS };
  const list = usePageQuery('GET ledger/entries', request, ({ entries }) => entries, options);
  const { column } = words;
  return (
    <>
      <DataTable<Entry>
        label={label}
        rows={list.rows}
        keyOf={({ position, amount }) => `${position} ${amount}`}
        empty={empty}
        query={list}
        columns={[
          { id: 'what', name: column.what, cell: ({ event }) => eventText(event) },
          { id: 'when', name: column.when, cell: ({ at }) => <Time at={at} /> },
          { id: 'order', name: column.order, cell: ({ order_id: id }) => (id === null ? '–' : <OrderLink id={id} />) },
          {
            id: 'amount',
            name: column.amount,
            end: true,
            cell: ({ amount, currency }) => money(saidAmount(account, amount), currency),
          },
        ]}
      />
      <MoreButton list={list}>{moneyWords.more}</MoreButton>
    </>
  );
}
