import { queryOptions } from '@tanstack/react-query';
import type { ReportSchedule, ReportSubscription } from '#desk/report-subscription.contract';
import { ask } from './http.js';

/** The reports that the person gets by e-mail. */
export const reportSubscriptionsQuery = queryOptions({
  queryKey: ['report-subscriptions'],
  queryFn: async ({ signal }) => (await ask('GET report-subscriptions', { signal })).subscriptions,
});

export const subscribeToReport = (schedule: ReportSchedule): Promise<ReportSubscription> =>
  ask('PUT report-subscriptions/{schedule}', { path: { schedule } });

export const unsubscribeFromReport = (schedule: ReportSchedule): Promise<void> =>
  ask('DELETE report-subscriptions/{schedule}', { path: { schedule } });
