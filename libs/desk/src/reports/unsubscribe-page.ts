import type { ReportSchedule } from '../report-subscription.contract.js';
import { messageHeaders, messagePage } from '#web/message-page';
import { html } from '#web/html';

/** The page runs nothing, and its form goes only to the address of the page. */
export const CONTENT_SECURITY_POLICY = messageHeaders('self')['content-security-policy'];

/** Asks before anything changes, because mail scanners open every link. */
export function unsubscribePage(schedule: ReportSchedule): string {
  return messagePage(
    `End the ${schedule} report?`,
    html`<p class="soft">The ${schedule} report of orders will no longer be sent to you by e-mail.</p>
      <form method="post"><button>End the report</button></form>`,
  );
}

/** @param reports the address of the page on which one subscribes */
export function unsubscribedPage(schedule: ReportSchedule, reports: string): string {
  return messagePage(
    `The ${schedule} report has ended`,
    html`<p class="soft">
      It is no longer sent to you. To get it again, ask for it on the <a href="${reports}">page of reports</a>.
    </p>`,
  );
}
