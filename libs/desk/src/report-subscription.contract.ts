import { z } from 'zod';

/** How often a report goes out by e-mail. */
export const REPORT_SCHEDULES = ['daily', 'weekly'] as const;
export type ReportSchedule = (typeof REPORT_SCHEDULES)[number];

export function isReportSchedule(name: string): name is ReportSchedule {
  return REPORT_SCHEDULES.some((schedule) => schedule === name);
}

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

/** Query of /unsubscribe/{operator_id}/{schedule}, as an e-mail has it. Whatever else a mail program adds does not matter. */
export const UnsubscribeQuery = z.object({ signature: z.string().max(100).default('') });
export type UnsubscribeQuery = z.output<typeof UnsubscribeQuery>;
