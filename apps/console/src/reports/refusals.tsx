import { useQuery } from '@tanstack/react-query';
import type { RefusalsReport } from '#desk/report.contract';
import { DataTable } from '../frame/data-table.js';
import { OrdersLink } from '../charts/figure.js';
import { money, number, percent } from '../words/formats.js';
import { reportWords as words } from './report-words.js';
import { DownloadButton } from './download-button.js';
import { type Days, placedIn } from './period.js';
import { reportQuery } from './report-query.js';

type Refusal = RefusalsReport['rows'][number];

const { refusal: name } = words;

/** Why orders of the period were refused, most frequent first. */
export function Refusals({ range, orders }: Readonly<{ range: Days; orders: number | undefined }>) {
  // There are few platforms, so they are added up here.
  const asked = useQuery(reportQuery('refusals', 'client', range));
  const rows = byReason(asked.data?.rows ?? []);
  const most = Math.max(1, ...rows.map((row) => row.orders));
  return (
    <section className="section">
      <div className="row">
        <h2>{words.refusals}</h2>
        <div className="grow" />
        <DownloadButton report="refusals" by="day" range={range} name={words.refusals} />
      </div>
      <DataTable
        label={words.refusals}
        rows={rows}
        keyOf={keyOf}
        empty={words.noRefusals}
        query={asked}
        columns={[
          {
            id: 'reason',
            name: name.reason,
            cell: (row) => (
              <>
                <OrdersLink orders={placedIn(range, filterOf(row))}>
                  {row.reason === 'rejected' ? row.status_message : name[row.reason]}
                </OrdersLink>{' '}
                <span className="soft small">{row.status_code}</span>
              </>
            ),
          },
          {
            id: 'bar',
            name: '',
            cell: ({ orders: count }) => (
              <svg className="share-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(count / most) * 100} height="6" />
              </svg>
            ),
          },
          { id: 'orders', name: name.orders, end: true, cell: ({ orders: count }) => number(count) },
          {
            id: 'share',
            name: name.share,
            end: true,
            cell: (row) => (orders && row.reason === 'rejected' ? percent(row.orders / orders) : '–'),
          },
          { id: 'amount', name: name.amount, end: true, cell: ({ total }) => money(total) },
        ]}
      />
    </section>
  );
}

const keyOf = ({ reason, status_code: code }: Refusal) => `${reason} ${code ?? ''}`;

const filterOf = ({ reason, status_code: code }: Refusal) =>
  reason === 'rejected' ? { status_code: String(code) } : { stage: reason };

function byReason(rows: readonly Refusal[]): Refusal[] {
  const sums = new Map<string, Refusal>();
  for (const row of rows) {
    const sum = sums.get(keyOf(row));
    const { orders = 0, tickets = 0, total = 0 } = sum ?? {};
    sums.set(keyOf(row), {
      ...row,
      orders: orders + row.orders,
      tickets: tickets + row.tickets,
      total: total + row.total,
    });
  }
  return [...sums.values()].toSorted((a, b) => b.orders - a.orders);
}
