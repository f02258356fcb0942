import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ReportGroup, ReportName } from '#desk/report.contract';
import { apiErrorOf } from '../api/api-error.js';
import { ask } from '../api/http.js';
import { PATH_PREFIX } from '../api/path-prefix.js';
import type { Days } from './period.js';

const EVERY_MS = 60_000;

const pathOf = (report: ReportName, by: ReportGroup, { from, to }: Days) =>
  `reports/${report}?by=${by}&from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`;

/** A report of these days. The last one stays while another period is loaded. */
export const reportQuery = <Answer>(report: ReportName, by: ReportGroup, days: Days) =>
  queryOptions({
    queryKey: ['report', report, by, days.from, days.to],
    queryFn: ({ signal }) => ask<Answer>(pathOf(report, by, days), { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });

/** Saves the report as a CSV file. Throws an ApiError. */
export async function downloadReport(report: ReportName, by: ReportGroup, days: Days): Promise<void> {
  const response = await fetch(`${PATH_PREFIX}/backoffice/v1/${pathOf(report, by, days)}`, {
    headers: { accept: 'text/csv' },
    credentials: 'same-origin',
  });
  if (!response.ok) throw await apiErrorOf(response);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = `${report}-by-${by}-${days.days[0]}.csv`;
  link.click();
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
