import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ReceivedPing } from './received-ping.contract.js';
import { html } from '#web/html';
import { CONTENT_SECURITY_POLICY, type SandboxPage, sandboxPage } from './sandbox-page.js';

const confirmed = { status: 'confirmed', status_message: 'Confirmed', status_code: 2000 } as const;
const shipped = { status: 'confirmed', status_message: 'Tickets shipped (hard tickets)', status_code: 2002 } as const;

const READ: ReceivedPing = {
  id: 7,
  received_at: '2026-11-21T12:00:00.000Z',
  order_id: 'ord_1',
  ref_id: 'ref-1',
  client_id: 'platform-1',
  transaction_id: 'txn-1',
  signature_valid: true,
  announcement: 2,
  state: 'read',
  reads: 1,
  next_read_at: null,
  read_at: '2026-11-21T12:00:00.040Z',
  read_error: null,
  shows_announced: true,
  purchase: {
    id: 'ord_1',
    status: shipped,
    product: { event_id: 'e', listing_id: 'lst-1', quantity: 2 },
    delivery_method: { type: 'ship' },
    fulfillment: { type: 'ship' },
    ref_id: 'ref-1',
    status_history: [
      { ...confirmed, created_at: '2026-11-21T11:00:00.000Z' },
      { ...shipped, created_at: '2026-11-21T11:59:59.900Z' },
    ],
  },
};

function page(...pings: ReceivedPing[]): SandboxPage {
  const counts = { received: pings.length, orders: 1, waiting: 0, refused: 0 };
  return { pings, counts, next_cursor: null, isNewest: true };
}

/** Pings of every state, with this text in every field that comes from outside. */
function everywhere(text: string): ReceivedPing[] {
  const status = { ...confirmed, status_message: text };
  const purchase = READ.purchase && {
    ...READ.purchase,
    status,
    product: { ...READ.purchase.product, listing_id: text },
    status_history: [{ ...status, created_at: READ.received_at }],
  };
  const sent = { order_id: text, ref_id: text, transaction_id: text, client_id: text };
  const states = ['read', 'waiting', 'given_up', 'refused'] as const;
  return states.map((state) => ({ ...READ, ...sent, state, reads: 2, read_error: text, purchase }));
}

/** The visible text of the page, without tags and blanks. */
const textOf = (document: string) =>
  (document.split('<main')[1] ?? '')
    .replaceAll(/^[^>]*>|<script[^]*/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe('html', () => {
  it('escapes all interpolated texts', () => {
    expect(html`<a title="${`"><script>'&`}">${'<b>'}</a>`.text).toBe(
      '<a title="&#34;&#62;&#60;script&#62;&#39;&#38;">&#60;b&#62;</a>',
    );
  });

  it('does not escape its own parts, accepts lists of them, and ignores undefined', () => {
    const items = ['<', 2].map((item) => html`<li>${item}</li>`);
    expect(html`<p>${items}</p>`.text).toBe('<p><li>&#60;</li><li>2</li></p>');
    expect(html`${null}${undefined}${false}${[]}${''}${0}`.text).toBe('0');
  });
});

describe('the page', () => {
  it('shows a ping and its purchase, with the history', () => {
    const text = textOf(sandboxPage(page(READ)));
    for (const shown of ['12:00:00 UTC', 'ord_1', 'ref-1', 'txn-1', 'Valid platform-1', '40 ms after the ping']) {
      expect(text).toContain(shown);
    }
    expect(text).toContain('confirmed Tickets shipped (hard tickets) 2002');
    expect(text).toContain('History (2)');
    expect(text).toMatch(/11:00:00 UTC confirmed Confirmed 2000 11:59:59 UTC confirmed Tickets shipped/);
    expect(text).not.toContain('does not show');
  });

  it.each<[string, Partial<ReceivedPing>, string]>([
    ['is waiting', { state: 'waiting', reads: 0, next_read_at: READ.received_at }, 'Waiting to be read back'],
    [
      'failed',
      { state: 'waiting', reads: 2, read_error: 'the answer was 503', next_read_at: '2026-11-21T12:00:08.000Z' },
      'Try 2 failed: the answer was 503. Trying again at 12:00:08 UTC',
    ],
    ['was given up', { state: 'given_up', reads: 8, read_error: 'no answer in time' }, 'Given up after 8 tries'],
    ['was refused', { state: 'refused', signature_valid: false, client_id: null }, 'Not valid answered 401'],
    ['is behind', { shows_announced: false }, 'This is status 2 of the order, which the history does not show yet'],
  ])('says that a ping %s', (_what, change, said) => {
    expect(textOf(sandboxPage(page({ ...READ, ...change })))).toContain(said);
  });

  it('does not let sent text become markup', () => {
    const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;`;
    const escaped = html`${hostile}`.text;
    expect(sandboxPage(page(...everywhere(hostile))).replaceAll(escaped, 'harmless')).toBe(
      sandboxPage(page(...everywhere('harmless'))),
    );
  });

  it('contains only the style and the script that its policy names', () => {
    const document = sandboxPage(page(READ));
    for (const [tag, directive] of [
      ['style', 'style-src'],
      ['script', 'script-src'],
    ] as const) {
      const inline = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(document)?.[1] ?? '';
      const hash = createHash('sha256').update(inline).digest('base64');
      expect(CONTENT_SECURITY_POLICY).toContain(`${directive} 'sha256-${hash}';`);
    }
    expect(document).not.toMatch(/ style=| on[a-z]+=/);
    expect(CONTENT_SECURITY_POLICY).toContain("default-src 'none'");
  });

  it('says what to do while there are no pings', () => {
    const text = textOf(sandboxPage(page()));
    expect(text).toContain('No ping yet.');
    expect(text).toContain('npm run willcall -- platform buy');
  });

  it('links to older pings, and refreshes only the newest', () => {
    expect(sandboxPage({ ...page(READ), next_cursor: '7' })).toContain('href="sandbox?cursor=7"');
    expect(sandboxPage(page(READ))).toContain('http-equiv="refresh"');
    const older = sandboxPage({ ...page(READ), isNewest: false });
    expect(older).toContain('href="sandbox">Newest');
    expect(older).not.toContain('http-equiv="refresh"');
    expect(older).not.toContain('id="live"');
  });
});
