import { useQuery } from '@tanstack/react-query';
import type { SellersReport } from '#desk/report.contract';
import { DataTable } from '../frame/data-table.js';
import { money as dollars } from '../words/formats.js';
import { reportWords } from './report-words.js';
import type { Days } from './period.js';
import { reportQuery } from './report-query.js';

const words = reportWords.balances;
// The file has all of them.
const MOST_ROWS = 50;

type Row = SellersReport['rows'][number];

/** What the orders of the period have earned each seller, and what each is owed now. */
export function SellerBalances({ range }: Readonly<{ range: Days }>) {
  const report = useQuery(reportQuery('sellers', 'seller', range));
  const amount = (value: number | null) => (value === null ? '–' : dollars(value));
  const { column } = words;
  return (
    <section className="section">
      <h2>{words.title}</h2>
      <p className="soft small">{words.hint}</p>
      <DataTable<Row>
        label={words.title}
        rows={(report.data?.rows ?? []).slice(0, MOST_ROWS)}
        keyOf={({ seller }) => seller ?? ''}
        empty={reportWords.none}
        query={report}
        columns={[
          { id: 'seller', name: column.seller, cell: ({ seller }) => seller ?? reportWords.noSeller },
          { id: 'earned', name: column.earned, end: true, cell: ({ earned }) => amount(earned) },
          { id: 'refunded', name: column.refunded, end: true, cell: ({ refunded }) => amount(refunded) },
          { id: 'paid', name: column.paid, end: true, cell: ({ paid }) => amount(paid) },
          { id: 'owed', name: column.owed, end: true, cell: ({ owed }) => amount(owed) },
        ]}
      />
    </section>
  );
}
