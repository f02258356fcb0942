import { z } from 'zod';

/** How often a report goes out by e-mail. */
export const REPORT_SCHEDULES = ['daily', 'weekly'] as const;
export type ReportSchedule = (typeof REPORT_SCHEDULES)[number];

export const ReportSubscription = z
  .object({
    schedule: z.enum(REPORT_SCHEDULES).meta({ description: 'daily: each day; weekly: Monday to Sunday; both in UTC' }),
    next_at: z.iso
      .datetime()
      .meta({ description: 'when the next report goes out at the earliest: after its period has ended' }),
  })
  .meta({ id: 'ReportSubscription' });
export type ReportSubscription = z.infer<typeof ReportSubscription>;

export const ReportSubscriptionList = z
  .object({ subscriptions: z.array(ReportSubscription) })
  .meta({ id: 'ReportSubscriptionList' });
export type ReportSubscriptionList = z.infer<typeof ReportSubscriptionList>;
