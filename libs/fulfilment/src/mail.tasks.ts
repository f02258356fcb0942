import { queueTask } from '#delivery-kit/queue-task';
import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { MailBounces } from './mail/mail-bounces.js';
import { MailSchedule } from './mail/mail-schedule.js';
import { MailSending } from './mail/mail-sending.js';

export const MAIL_TASKS: readonly BackgroundTask[] = [
  queueTask({
    name: 'mails',
    does: 'Sends an e-mail to a buyer, and moves the order when the mail server has accepted or refused it.',
    seen: '`GET /backoffice/v1/orders/{id}/mails`; the timeline of the order',
    queue: 'mails',
    // Mail servers limit the connections of one sender.
    concurrency: 5,
    processor: MailSending,
    isTrace: true,
  }),
  repeatedTask({
    name: 'mail schedule',
    does: 'Adds an e-mail for each confirmed order and each refund that was made (`MAIL_AUTOMATIC`), and a job to the queue `mails` for each e-mail that is due.',
    seen: '`willcall_queue_jobs{queue_state="mails waiting"}`',
    everyMs: 'SWEEP_EVERY_MS',
    handler: MailSchedule,
    run: (schedule) => schedule.run(),
  }),
  repeatedTask({
    name: 'mail bounces',
    does: 'Reads the mailbox `MAIL_BOUNCES_FILE` for e-mails that came back, and moves their orders.',
    seen: '`GET /backoffice/v1/orders/{id}/mails`; the timeline of the order',
    everyMs: 'SWEEP_EVERY_MS',
    handler: MailBounces,
    run: (bounces) => bounces.run(),
  }),
];
