import { createHash } from 'node:crypto';
import type { ReportSchedule } from '#contracts/backoffice/report-subscription';
import { STYLE } from '../../directory/directory-style.js';
import { Html, html } from '../../sandbox/html.js';
import { ICON } from '../../sandbox/page-icon.js';

const hash = createHash('sha256').update(STYLE).digest('base64');

/** The page runs nothing, and its form goes only to the address of the page. */
export const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/** Asks before anything changes, because mail scanners open every link. */
export function unsubscribePage(schedule: ReportSchedule): string {
  return page(
    `End the ${schedule} report?`,
    html`<p>You will no longer get the ${schedule} report of orders by e-mail.</p>
      <form method="post"><button>End the report</button></form>`,
  );
}

/** @param reports the address of the page on which one subscribes */
export function unsubscribedPage(schedule: ReportSchedule, reports: string): string {
  return page(
    `The ${schedule} report has ended`,
    html`<p>You get it no longer. You can ask for it again <a href="${reports}">on the page of reports</a>.</p>`,
  );
}

function page(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="${new Html(ICON)}" />
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <main class="wrap">
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`.text;
}
