import type { ReadPurchase, ReceivedPing } from './received-ping.contract.js';
import { Html, html } from '#web/html';

type Status = ReadPurchase['status'];

export function pingRow(ping: ReceivedPing): Html {
  return html`<tr id="ping-${ping.id}">
    <td class="when">${time(ping.received_at)} <span class="soft">${ping.received_at.slice(0, 10)}</span></td>
    <td>
      <span class="id">${ping.order_id}</span>
      <dl>
        <dt>ref_id</dt>
        <dd class="id">${ping.ref_id ?? none}</dd>
        <dt>Transaction</dt>
        <dd class="id">${ping.transaction_id ?? none}</dd>
      </dl>
    </td>
    <td>
      ${
        ping.signature_valid
          ? html`<p><span class="pill valid">Valid</span></p>
              <p class="soft id">${ping.client_id}</p>`
          : html`<p><span class="pill invalid">Not valid</span></p>
              <p class="soft">answered 401</p>`
      }
    </td>
    <td>${outcome(ping)}</td>
  </tr>`;
}

const none = html`<span class="soft">none</span>`;

/** UTC; the page's script converts it to the reader's time zone. */
function time(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(11, 19)} UTC</time>`;
}

function outcome(ping: ReceivedPing): Html {
  switch (ping.state) {
    case 'refused':
      return html`<p class="soft">Not read: it may have come from anyone.</p>`;
    case 'waiting':
      return waiting(ping);
    case 'given_up':
      return html`<p class="error">Could not be read: ${ping.read_error}.</p>
        <p class="soft">Given up after ${plural(ping.reads, 'try', 'tries')}.</p>`;
    case 'read':
      return ping.purchase ? purchase(ping, ping.purchase) : html``;
  }
}

function waiting({ reads, read_error, next_read_at }: ReceivedPing): Html {
  if (reads === 0) return html`<p class="soft">Waiting to be read back …</p>`;
  return html`<p class="error">Try ${reads} failed: ${read_error}.</p>
    <p class="soft">Trying again${next_read_at && html` at ${time(next_read_at)}`}.</p>`;
}

function purchase(
  ping: ReceivedPing,
  { status, product, delivery_method, status_history: history }: ReadPurchase,
): Html {
  return html`<p>${statusLine(status)}</p>
    <p class="soft">
      ${plural(product.quantity, 'ticket', 'tickets')} of <span class="id">${product.listing_id}</span>,
      ${delivery_method.type}; read ${afterPing(ping)}
    </p>
    ${
      ping.shows_announced === false &&
      html`<p class="error">This is status ${ping.announcement} of the order, which the history does not show yet.</p>`
    }
    ${
      history &&
      html`<details id="history-${ping.id}">
        <summary id="summary-${ping.id}">History (${history.length})</summary>
        <ol>
          ${history.map((entry) => html`<li>${time(entry.created_at)} ${statusLine(entry)}</li>`)}
        </ol>
      </details>`
    }`;
}

function statusLine({ status, status_message, status_code }: Status): Html {
  return html`<span class="pill status ${status}">${status}</span>${status_message}
    <span class="soft">${status_code}</span>`;
}

function afterPing({ received_at, read_at, reads }: ReceivedPing): string {
  const ms = Date.parse(read_at ?? received_at) - Date.parse(received_at);
  const later = ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
  return `${later} after the ping${reads > 1 ? `, at try ${reads}` : ''}`;
}

export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
