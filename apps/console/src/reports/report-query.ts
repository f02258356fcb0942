import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  MoneyReport,
  OrdersReport,
  RefusalsReport,
  Report,
  ReportGroup,
  ReportName,
  SellersReport,
  TimesReport,
} from '#desk/report.contract';
import { apiErrorOf } from '../api/api-error.js';
import { addressOf, ask } from '../api/http.js';
import { saveFile } from '../frame/save-file.js';
import type { Days } from './period.js';

const EVERY_MS = 60_000;

type Reports = {
  orders: OrdersReport;
  money: MoneyReport;
  refusals: RefusalsReport;
  times: TimesReport;
  sellers: SellersReport;
};

/** What only the report of each name counts. */
const IS: { readonly [Name in ReportName]: (answer: Report) => answer is Reports[Name] } = {
  orders: (answer): answer is OrdersReport =>
    'tickets' in answer.totals && 'pending' in answer.totals && !('fault_rate' in answer.totals),
  money: (answer): answer is MoneyReport => 'refunded' in answer.totals && !('fault_rate' in answer.totals),
  refusals: (answer): answer is RefusalsReport => 'tickets' in answer.totals && !('pending' in answer.totals),
  times: (answer): answer is TimesReport => 'automatic' in answer.totals,
  sellers: (answer): answer is SellersReport => 'fault_rate' in answer.totals,
};

/** The answer as the report that was asked for. Throws for another one. */
export function reportIn<Name extends ReportName>(name: Name, answer: Report): Reports[Name] {
  const isAsked: (report: Report) => report is Reports[Name] = IS[name];
  if (!isAsked(answer)) throw new Error(`This is not the report ${name}`);
  return answer;
}

const requestOf = <Name extends ReportName>(report: Name, by: ReportGroup, { from, to, zone }: Days) => ({
  path: { report },
  query: { by, from, to, time_zone: zone },
});

/** A report of these days. The last one stays while another period is loaded. */
export const reportQuery = <Name extends ReportName>(report: Name, by: ReportGroup, days: Days) =>
  queryOptions({
    queryKey: ['report', report, by, days.from, days.to, days.zone],
    queryFn: async ({ signal }) =>
      reportIn(report, await ask('GET reports/{report}', { ...requestOf(report, by, days), signal })),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });

/** Saves the report as a CSV file. Throws an ApiError. */
export async function downloadReport(report: ReportName, by: ReportGroup, days: Days): Promise<void> {
  const response = await fetch(addressOf('GET reports/{report}', requestOf(report, by, days)), {
    headers: { accept: 'text/csv' },
    credentials: 'same-origin',
  });
  if (!response.ok) throw await apiErrorOf(response);
  saveFile(`${report}-by-${by}-${days.days[0]}.csv`, await response.blob());
}
