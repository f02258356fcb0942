import type { WrittenError } from './written-error.js';
import { messageHeaders, messagePage } from './message-page.js';
import { type Html, html } from './html.js';

/** Addresses that people get in an e-mail. The signature in them is the credential. */
const SIGNED_LINK = /^\/(?:tickets|downloads|unsubscribe|choices)\/[^/?]+/;
/** It was good once, and the error says to its reader what has become of it. */
const CHOICE = /^\/choices\//;
const CHOICE_CLOSED = [409, 410];
const LINK_REFUSED = [400, 403, 404, 409];
/** The link is good, and the next try may succeed. */
const LINK_DELAYED = [429, 500, 503];

/**
 * What a person reads who opened an address in vain. Undefined for errors that only programs cause.
 * @param target path and query
 * @param home the path of the first page
 * @param detail of the error
 */
export function errorPage(target: string, status: number, home: string, detail: string): WrittenError | undefined {
  if (SIGNED_LINK.test(target)) {
    if (LINK_DELAYED.includes(status)) {
      return page('This does not work right now', html`<p class="soft">Wait a minute, and open the link again.</p>`);
    }
    if (CHOICE.test(target) && CHOICE_CLOSED.includes(status)) {
      return page('This choice is closed', html`<p class="soft">${detail}</p>`);
    }
    if (!LINK_REFUSED.includes(status)) return undefined;
    const advice = 'It has expired, was taken back, or is incomplete. Ask whoever sent it for a new one.';
    return page('This link does not open anything', html`<p class="soft">${advice}</p>`);
  }
  if (status !== 404) return undefined;
  const body = html`<p class="soft">The address may be mistyped or cut off.</p>
    <p><a href="${home}">Go to the start page</a></p>`;
  return page('There is nothing at this address', body);
}

function page(title: string, body: Html): WrittenError {
  return { headers: messageHeaders(), body: messagePage(title, body) };
}
