import { queryOptions } from '@tanstack/react-query';
import type { ReportSchedule, ReportSubscription, ReportSubscriptionList } from '#desk/report-subscription.contract';
import { ask } from './http.js';

/** The reports that the person gets by e-mail. */
export const reportSubscriptionsQuery = queryOptions({
  queryKey: ['report-subscriptions'],
  queryFn: async ({ signal }) => (await ask<ReportSubscriptionList>('report-subscriptions', { signal })).subscriptions,
});

export const subscribeToReport = (schedule: ReportSchedule): Promise<ReportSubscription> =>
  ask(`report-subscriptions/${schedule}`, { method: 'PUT' });

export const unsubscribeFromReport = (schedule: ReportSchedule): Promise<void> =>
  ask(`report-subscriptions/${schedule}`, { method: 'DELETE' });
