import { useQuery } from '@tanstack/react-query';
import type { OrdersReport } from '#desk/report.contract';
import { OrdersLink } from '../charts/figure.js';
import { DataTable } from '../frame/data-table.js';
import { Segments } from '../frame/segments.js';
import type { OrdersSearch } from '../orders/list-address.js';
import { money as dollars, number, percent } from '../words/formats.js';
import { reportWords as words } from './report-words.js';
import { DownloadButton } from './download-button.js';
import { type Days, placedIn } from './period.js';
import { reportQuery } from './report-query.js';

export const GROUPS = ['event', 'seller', 'client'] as const;
type Group = (typeof GROUPS)[number];

const FIELD = { event: 'event_id', seller: 'seller', client: 'client_id' } as const;
// The file has all of them.
const MOST_ROWS = 50;

type Row = OrdersReport['rows'][number];

type Props = Readonly<{ range: Days; group: Group; searchOf: (group: string) => Readonly<Record<string, string>> }>;

/** Compares shows, sellers or platforms. Those with the most orders come first. */
export function GroupTable({ range, group, searchOf }: Props) {
  const orders = useQuery(reportQuery('orders', group, range));
  const money = useQuery(reportQuery('money', group, range));
  const failed = [orders, money].find(({ error }) => error !== null);
  const field = FIELD[group];
  const amounts = new Map(money.data?.rows.map((row) => [row[field] ?? '', row]));
  const amountOf = (row: Row, of: 'total' | 'confirmed') => {
    const amount = amounts.get(row[field] ?? '')?.[of];
    return amount === undefined ? '–' : dollars(amount);
  };
  const link = (row: Row, filters: OrdersSearch = { stage: 'placed' }) =>
    placedIn(range, { [field]: row[field] ?? 'is:none', ...filters });
  const counted = (row: Row, status: 'confirmed' | 'rejected') => (
    <OrdersLink orders={row[status] === 0 ? undefined : link(row, { status })}>{number(row[status])}</OrdersLink>
  );
  const all = orders.data?.rows ?? [];
  const { column } = words;
  return (
    <section className="section">
      <div className="row">
        <h2>{words.groups}</h2>
        <Segments
          label={words.groups}
          options={GROUPS.map((id) => ({ id, name: words.group[id] }))}
          chosen={group}
          searchOf={searchOf}
        />
        <div className="grow" />
        <DownloadButton
          report={group === 'seller' ? 'sellers' : 'money'}
          by={group}
          range={range}
          name={words.group[group]}
        />
      </div>
      <DataTable
        label={words.group[group]}
        rows={all.slice(0, MOST_ROWS)}
        keyOf={(row) => row[field] ?? ''}
        empty={words.none}
        query={failed ?? orders}
        columns={[
          {
            id: 'name',
            name: words.group[group],
            cell: (row) => <OrdersLink orders={link(row)}>{nameOf(row, field)}</OrdersLink>,
          },
          { id: 'orders', name: column.orders, end: true, cell: (row) => number(row.orders) },
          { id: 'tickets', name: column.tickets, end: true, cell: (row) => number(row.tickets) },
          { id: 'confirmed', name: column.confirmed, end: true, cell: (row) => counted(row, 'confirmed') },
          { id: 'open', name: column.open, end: true, cell: (row) => open(row, link) },
          { id: 'rejected', name: column.rejected, end: true, cell: (row) => counted(row, 'rejected') },
          { id: 'share', name: column.share, end: true, cell: (row) => percent(row.rejected / row.orders) },
          { id: 'total', name: column.total, end: true, cell: (row) => amountOf(row, 'total') },
          { id: 'sold', name: column.sold, end: true, cell: (row) => amountOf(row, 'confirmed') },
        ]}
      />
      {all.length > MOST_ROWS && <p className="soft small">{words.most(number(MOST_ROWS), number(all.length))}</p>}
    </section>
  );
}

function nameOf(row: Row, field: (typeof FIELD)[Group]): string {
  return row.name ?? row[field] ?? words.noSeller;
}

function open(row: Row, link: (row: Row, filters: OrdersSearch) => OrdersSearch) {
  const count = row.pending + row.exception;
  return (
    <OrdersLink orders={count === 0 ? undefined : link(row, { status: 'pending,exception' })}>
      {number(count)}
    </OrdersLink>
  );
}
