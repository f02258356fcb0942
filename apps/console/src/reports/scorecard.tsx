import { useQuery } from '@tanstack/react-query';
import type { SellersReport } from '#desk/report.contract';
import { OrdersLink } from '../charts/figure.js';
import { DataTable } from '../frame/data-table.js';
import type { OrdersSearch } from '../orders/list-address.js';
import { durationText } from '../words/durations.js';
import { money as dollars, number, percent } from '../words/formats.js';
import { reportWords } from './report-words.js';
import { type Days, placedIn } from './period.js';
import { reportQuery } from './report-query.js';

const words = reportWords.scorecard;
// The file has all of them.
const MOST_ROWS = 50;

type Row = SellersReport['rows'][number];

/** How well each seller serves the buyers. */
export function Scorecard({ range }: Readonly<{ range: Days }>) {
  const report = useQuery(reportQuery('sellers', 'seller', range));
  const link = ({ seller }: Row, count: number, filters: OrdersSearch) =>
    count === 0 ? undefined : placedIn(range, { seller: seller ?? 'is:none', ...filters });
  const open = { queue: 'to_ship,to_deliver' };
  const share = (value: number | null) => (value === null ? '–' : percent(value));
  const { column } = words;
  return (
    <section className="section">
      <h2>{words.title}</h2>
      <p className="soft small">{words.hint}</p>
      <DataTable
        label={words.title}
        rows={(report.data?.rows ?? []).slice(0, MOST_ROWS)}
        keyOf={({ seller }) => seller ?? ''}
        empty={reportWords.none}
        query={report}
        columns={[
          {
            id: 'seller',
            name: column.seller,
            cell: (row) => (
              <OrdersLink orders={link(row, row.orders, { stage: 'placed' })}>
                {row.seller ?? reportWords.noSeller}
              </OrdersLink>
            ),
          },
          {
            id: 'response',
            name: column.response,
            end: true,
            cell: ({ confirm_p50_s: seconds }) => (seconds === null ? '–' : durationText(seconds)),
          },
          { id: 'faults', name: column.faults, end: true, cell: ({ faults }) => number(faults) },
          { id: 'rate', name: column.rate, end: true, cell: ({ fault_rate: rate }) => share(rate) },
          { id: 'accuracy', name: column.accuracy, end: true, cell: (row) => share(row.shipping_accuracy) },
          {
            id: 'unfulfilled',
            name: column.unfulfilled,
            end: true,
            cell: (row) => <OrdersLink orders={link(row, row.unfulfilled, open)}>{number(row.unfulfilled)}</OrdersLink>,
          },
          {
            id: 'exposure',
            name: column.exposure,
            end: true,
            cell: (row) => <OrdersLink orders={link(row, row.unfulfilled, open)}>{dollars(row.exposure)}</OrdersLink>,
          },
        ]}
      />
    </section>
  );
}
