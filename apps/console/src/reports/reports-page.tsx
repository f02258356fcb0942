import '../charts/charts.css';
import './reports.css';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Failure } from '../frame/failure.js';
import { useNow } from '../frame/now.js';
import { PageHead } from '../frame/page-head.js';
import { Segments } from '../frame/segments.js';
import { Stale } from '../frame/stale.js';
import { nameOfDay } from '../words/formats.js';
import { reportWords as words } from './report-words.js';
import { MailMenu } from './mail-menu.js';
import { GroupTable, GROUPS } from './group-table.js';
import { OrderCharts } from './order-charts.js';
import { daysBetween, daysOf, type Period, PERIODS } from './period.js';
import { PingCharts } from './ping-charts.js';
import { Refusals } from './refusals.js';
import { reportQuery } from './report-query.js';
import { Scorecard } from './scorecard.js';
import { SellerBalances } from './seller-balances.js';
import { Tiles } from './tiles.js';
import { TimeCharts } from './time-charts.js';

const DAY_MS = 86_400_000;

/** Orders, money, times and refusals of a period. Every number links to the list of its orders. */
export function ReportsPage() {
  const search = useSearch({ from: '/frame/reports' });
  const { days, by, from: first = '', to: last = '' } = search;
  const period: Period = PERIODS.find((one) => one === days) ?? '30';
  const group = GROUPS.find((one) => one === by) ?? 'event';
  const today = useNow(DAY_MS);
  const given = useMemo(() => daysBetween(first, last), [first, last]);
  const lately = useMemo(() => daysOf(period, today), [period, today]);
  const range = given ?? lately;
  const address: Readonly<Record<string, string>> = given ? { from: first, to: last } : { days: period };
  const orders = useQuery(reportQuery('orders', 'day', range));
  const money = useQuery(reportQuery('money', 'day', range));
  const times = useQuery(reportQuery('times', 'day', range));
  const failed = [orders, money, times].find(({ error }) => error !== null);
  const isStale = [orders, money, times].some(({ isPlaceholderData }) => isPlaceholderData);
  return (
    <div className="page reports">
      <PageHead title={words.title} hint={words.hint(range.zone)}>
        <MailMenu />
        {given && <span className="soft small">{words.between(nameOfDay(first), nameOfDay(last))}</span>}
        <Segments
          label={words.period}
          options={PERIODS.map((id) => ({ id, name: words.periods[id] }))}
          chosen={given ? '' : period}
          searchOf={(id) => ({ days: id, by: group })}
        />
      </PageHead>
      {failed && <Failure error={failed.error} retry={() => void failed.refetch()} />}
      <Stale when={isStale}>
        <Tiles range={range} orders={orders.data?.totals} money={money.data?.totals} times={times.data?.totals} />
        <div className="chart-grid">
          <OrderCharts range={range} orders={orders.data} money={money.data} />
          <TimeCharts range={range} times={times.data} />
          <PingCharts range={range} />
        </div>
      </Stale>
      <Refusals range={range} orders={orders.data?.totals.orders} />
      <GroupTable range={range} group={group} searchOf={(id) => ({ ...address, by: id })} />
      {group === 'seller' && (
        <>
          <SellerBalances range={range} />
          <Scorecard range={range} />
        </>
      )}
    </div>
  );
}
