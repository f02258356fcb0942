import { createHash } from 'node:crypto';
import type { ReceivedPingList } from './received-ping.contract.js';
import type { Counts } from './received-pings.js';
import { Html, html } from '#web/html';
import { ICON } from '#web/page-icon';
import { SCRIPT } from './page-script.js';
import { STYLE } from './page-style.js';
import { plural, pingRow } from './ping-row.js';

export type SandboxPage = ReceivedPingList & Readonly<{ counts: Counts; isNewest: boolean }>;

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only the page's own style and script may load and run; the policy names their hashes. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${hash(STYLE)}`,
  `script-src ${hash(SCRIPT)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

// Not in an html template, because a formatter might add whitespace and so change the hash.
const INLINE_STYLE = new Html(`<style>${STYLE}</style>`);
const INLINE_SCRIPT = new Html(`<script>${SCRIPT}</script>`);

/** The whole page of the sandbox platform. Only the newest page refreshes itself. */
export function sandboxPage(page: SandboxPage): string {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Sandbox platform · Willcall</title>
        <link rel="icon" href="${new Html(ICON)}" />
        ${page.isNewest && html`<noscript><meta http-equiv="refresh" content="10" /></noscript>`} ${INLINE_STYLE}
      </head>
      <body>
        ${header(page)} ${main(page)} ${INLINE_SCRIPT}
      </body>
    </html>`;
  return document.text;
}

function header({ isNewest }: SandboxPage): Html {
  return html`<header>
    <div class="wrap">
      <h1><img src="${new Html(ICON)}" alt="" width="28" height="28" /> Willcall <small>Sandbox platform</small></h1>
      ${isNewest && html`<p class="live" id="live" role="status">Live</p>`}
      <nav aria-label="Elsewhere">
        <a href="sandbox/pings">As JSON</a>
        <a href="docs">API documentation</a>
      </nav>
    </div>
  </header>`;
}

function main(page: SandboxPage): Html {
  const { pings, counts, isNewest } = page;
  const received = `${plural(counts.received, 'ping', 'pings')} received`;
  return html`<main class="wrap" data-received="${received}">
    ${NOTICE} ${counts.received > 0 && summary(counts)}
    <div class="heading">
      <h2 id="pings">${isNewest ? 'Purchase pings' : 'Older purchase pings'}</h2>
      <p>Newest first</p>
    </div>
    ${pings.length > 0 ? table(page) : emptyText(page)} ${pages(page)}
  </main>`;
}

const NOTICE = html`<div class="notice" role="note">
  <div>
    <p><strong>This is a sandbox: no money moves here.</strong> It stands in for the ticketing platform.</p>
    <p>
      It receives the purchase pings, checks their signatures and reads each purchase back. With
      <code>PLATFORM_URL</code> set they go to a real platform instead.
    </p>
  </div>
</div>`;

function summary({ received, orders, waiting, refused }: Counts): Html {
  const shown: [string, number][] = [
    ['Pings received', received],
    ['Orders', orders],
    ['Waiting to be read back', waiting],
    ['Refused, signature not valid', refused],
  ];
  return html`<dl class="counts">
    ${shown.map(
      ([name, count]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${count}</dd>
        </div>`,
    )}
  </dl>`;
}

function table({ pings }: SandboxPage): Html {
  return html`<div class="pings" id="table" role="region" aria-labelledby="pings" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Received</th>
          <th scope="col">Order</th>
          <th scope="col">Signature</th>
          <th scope="col">Purchase, as read back</th>
        </tr>
      </thead>
      <tbody>
        ${pings.map(pingRow)}
      </tbody>
    </table>
  </div>`;
}

function emptyText({ isNewest }: SandboxPage): Html {
  if (!isNewest) return html`<div class="pings empty"><p>There are none that are older.</p></div>`;
  return html`<div class="pings empty">
    <p><strong>No ping yet.</strong> The first one comes with the first purchase:</p>
    <ol>
      <li>
        Paste the signed <code>curl</code> that <code>npm start</code> has printed, or buy by
        <pre>npm run willcall -- platform buy demo-payment-1 --event 1001 --quantity 2</pre>
      </li>
      <li>Its ping shows up here within a second, with the purchase as the platform reads it.</li>
      <li>
        Then move the order on by the back office API (<a href="docs">documentation</a>): every change of status is
        another ping.
      </li>
    </ol>
  </div>`;
}

function pages({ isNewest, next_cursor }: SandboxPage): Html | false {
  if (isNewest && next_cursor === null) return false;
  return html`<nav class="pages" aria-label="Pages">
    ${!isNewest && html`<a href="sandbox">Newest</a>`}
    ${next_cursor !== null && html`<a href="sandbox?cursor=${next_cursor}">Older</a>`}
  </nav>`;
}
