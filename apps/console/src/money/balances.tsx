import { useQueries, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { balancesQuery } from '../api/money.js';
import { Failure } from '../frame/failure.js';
import { useNow } from '../frame/now.js';
import { Segments } from '../frame/segments.js';
import { AccountTable } from './account-table.js';
import { BalanceCharts } from './balance-charts.js';
import { balancePoints, currenciesOf, PERIODS } from './balance-points.js';
import { moneyWords } from './money-words.js';

const words = moneyWords.balances;
const HOUR_MS = 3_600_000;

/** What is on each account of the ledger, now and over time. */
export function Balances() {
  const search = useSearch({ from: '/frame/money' });
  const period = PERIODS.find((one) => one === search.days) ?? '30';
  const points = balancePoints(period, useNow(HOUR_MS));
  const now = useQuery(balancesQuery());
  const earlier = useQueries({ queries: points.map((at) => balancesQuery(at)) });
  const failed = earlier.find(({ error }) => error !== null);
  const places = [
    ...points.map((at, index) => ({ at, balances: earlier[index]?.data })),
    { at: null, balances: now.data },
  ];
  return (
    <section className="section">
      <div className="row">
        <h2>{words.title}</h2>
        <div className="grow" />
        <Segments
          label={words.period}
          options={PERIODS.map((id) => ({ id, name: words.periods[id] }))}
          chosen={period}
          searchOf={(days) => ({ ...search, days })}
        />
      </div>
      {failed && <Failure error={failed.error} retry={() => void failed.refetch()} />}
      {currenciesOf(now.data ?? []).map((currency) => (
        <BalanceCharts key={currency} currency={currency} places={places} />
      ))}
      <AccountTable query={now} accounts={now.data ?? []} />
    </section>
  );
}
