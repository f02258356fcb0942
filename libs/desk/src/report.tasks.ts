import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { ReportMails } from './reports/report-mails.js';

export const REPORT_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'report mails',
    does: 'Sends the report of the last day or week by e-mail to the operators who subscribed to it.',
    seen: 'the e-mail; `next_at` in `GET /backoffice/v1/report-subscriptions`',
    everyMs: 10_000,
    handler: ReportMails,
    async run(mails) {
      while (await mails.step());
    },
  }),
];
