import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OrderTicketList } from '../ticket.contract.js';
import type { Timeline } from '#desk/timeline.contract';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { ObjectRemovals } from './object-removals.js';
import { loadLedgerProof } from '#upkeep/ledger-proof';
import { verify } from '#upkeep/verify';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { STAFF_TOKEN } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import {
  attachTickets,
  formOf,
  JPEG,
  linkToTicket,
  PASS_FILES,
  PDF,
  PKPASS,
  PNG,
  postTickets,
  sendLargeTicket,
  type Upload,
  zipOf,
} from '../../../../test/support/orders/ticket-files.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';

const MB = 1024 * 1024;
const folder = temporaryFolder('files');

let api: TestApi;
let purchases = 0;

beforeAll(async () => {
  api = await startTestApi({ FILES_DIR: folder, TICKET_MAX_BYTES: String(2 * MB), TRACKING_NUMBERS: 'checked' });
  await api.staff.putListing('lst-1', { quantity: 500 });
  await api.staff.putListing('other', { quantity: 500, event_id: '1002' });
});
// After all tests the tables must agree with the log.
afterAll(async () => {
  const proof = await loadLedgerProof(api.pool, api.app.get(Sealer), []);
  expect((await verify(api.pool, proof)).differences).toEqual([]);
  await api.close();
  rmSync(folder, { recursive: true });
});

function bought(change: object = {}): Promise<string> {
  purchases += 1;
  const body = cardBody();
  return api.payment.bought({ ...body, ref_id: `ticket-${purchases}`, product: { ...body.product, ...change } });
}
const attach = (orderId: string, ...uploads: Upload[]) => attachTickets(api, orderId, uploads);
async function refused(orderId: string, ...uploads: Upload[]) {
  const answer = await postTickets(api, orderId, formOf(uploads));
  const { errors } = (await answer.json()) as { errors: { code: number; message: string }[] };
  return [answer.status, errors[0]?.code, errors[0]?.message];
}
const ticketsOf = async (orderId: string) =>
  ((await api.staff.get(`orders/${orderId}/tickets`)).body as OrderTicketList).tickets;
const linkOf = (orderId: string, ticketId: string | undefined, minutes = 60) =>
  linkToTicket(api, orderId, ticketId, minutes);
const eventsOf = async (orderId: string) =>
  (
    (await api.staff.get(`orders/${orderId}/events`)).body as {
      events: { type: string; data: object; metadata: object }[];
    }
  ).events;
async function downloadsOf(orderId: string): Promise<Timeline['entries']> {
  const { body } = await api.staff.get(`orders/${orderId}/timeline`);
  return (body as Timeline).entries.filter(({ kind }) => kind === 'download');
}
const storedFiles = (orderId: string) => {
  try {
    return readdirSync(join(folder, 'tickets', orderId));
  } catch {
    return [];
  }
};

describe('tickets of an order', () => {
  it('are stored, listed and opened, whatever their type', async () => {
    const id = await bought();
    const uploads: Upload[] = [
      { name: 'Sitz 4 Ä.pdf', content: PDF, barcode: 'A 0001', seat: '4' },
      { name: 'seat-5.png', content: PNG, barcode: '', seat: '5' },
      { name: 'seat-6.jpg', content: JPEG, barcode: 'A0003', seat: '' },
      { name: 'seat-7.pkpass', content: PKPASS, barcode: 'A0004', seat: '7' },
    ];
    const { tickets } = await attach(id, ...uploads);
    expect(tickets).toMatchObject([
      { name: 'Sitz 4 Ä.pdf', type: 'application/pdf', size: PDF.length, barcode: 'A 0001', seat: '4' },
      { name: 'seat-5.png', type: 'image/png', barcode: null, seat: '5' },
      { name: 'seat-6.jpg', type: 'image/jpeg', barcode: 'A0003', seat: null },
      { name: 'seat-7.pkpass', type: 'application/vnd.apple.pkpass', barcode: 'A0004', seat: '7' },
    ]);
    expect(await ticketsOf(id)).toMatchObject(tickets);
    for (const [at, { content }] of uploads.entries()) {
      const answer = await fetch(`${api.url}/backoffice/v1/orders/${id}/tickets/${tickets[at]?.id}/file`, {
        headers: { authorization: `Bearer ${STAFF_TOKEN}` },
      });
      expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
      expect(answer.headers.get('content-type')).toBe(tickets[at]?.type);
    }
    const events = await eventsOf(id);
    expect(events.at(-1)).toMatchObject({
      type: 'TicketsAttached',
      data: { files: tickets.map(({ id: ticketId, sha256 }) => ({ id: ticketId, sha256 })) },
    });
    // Who reads changes no order.
    expect(await downloadsOf(id)).toMatchObject(
      tickets.map((ticket) => ({
        title: 'Ticket opened by staff',
        actor: 'token:backoffice',
        detail: { ticket_id: ticket.id, link: null },
      })),
    );
    // A barcode opens the gate, and a file's name may be the buyer's.
    expect(JSON.stringify(events)).not.toMatch(/A 0001|Sitz/);
  });

  it('lie encrypted on the disk, and leave nothing in the folder of uploads', async () => {
    const id = await bought();
    await attach(id, { name: 'a.pdf', content: PDF });
    const [name] = storedFiles(id);
    expect(readFileSync(join(folder, 'tickets', id, name ?? '')).includes('Catalog')).toBe(false);
    expect(readdirSync(join(folder, '.uploads'))).toEqual([]);
  });

  it('are kept for an order without a buyer too', async () => {
    const id = await api.wholesale.bought(wholesaleBody());
    const { tickets } = await attach(id, { name: 'a.pdf', content: PDF });
    expect((await fetch(await linkOf(id, tickets[0]?.id))).status).toBe(200);
  });

  it('show their barcodes only to people who act on orders', async () => {
    const id = await bought();
    await attach(id, { name: 'a.pdf', content: PDF, barcode: 'SECRET-9876' });
    const barcodes = async (role: 'support' | 'viewer') => {
      const { body } = await (await signIn(api, [role])).get(`orders/${id}/tickets`);
      return (body as OrderTicketList).tickets.map(({ barcode }) => barcode);
    };
    expect([await barcodes('support'), await barcodes('viewer')]).toEqual([['SECRET-9876'], ['••9876']]);
  });
});

describe('a barcode', () => {
  it('is there at most once within an event, also when two uploads race', async () => {
    const [one, two] = [await bought(), await bought()];
    const ticket = { name: 'a.pdf', content: PDF, barcode: 'ONCE 1' };
    const answers = await Promise.all([one, two].map((id) => postTickets(api, id, formOf([ticket]))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect((await refused(two, { ...ticket, barcode: 'ONCE1' })).slice(0, 2)).toEqual([409, 40902]);
    expect((await refused(two, { ...ticket, barcode: 'X' }, { ...ticket, barcode: 'X' })).slice(0, 2)).toEqual([
      409, 40902,
    ]);
    // Another event.
    await attach(await bought({ event_id: '1002', listing_id: 'other' }), ticket);
  });

  it('is free again when the tickets go back on sale, or are taken back', async () => {
    const [one, two, three] = [await bought(), await bought(), await bought()];
    const ticket = { name: 'a.pdf', content: PDF, barcode: 'AGAIN' };
    const { tickets } = await attach(one, ticket);
    const link = await linkOf(one, tickets[0]?.id);
    await api.staff.changeStatus(one, 3007);
    expect((await fetch(link)).status).toBe(404);
    const again = await attach(two, ticket);
    expect((await api.staff.send('DELETE', `orders/${two}/tickets/${again.tickets[0]?.id}`)).status).toBe(204);
    await attach(three, ticket);
    expect((await ticketsOf(two))[0]?.withdrawn_at).toMatch(/^20/);
  });
});

describe('an upload is refused', () => {
  const ticket = (name: string, content: Buffer, type?: string): Upload => ({ name, content, ...(type && { type }) });
  const bomb = zipOf([...PASS_FILES, { name: 'bomb', content: Buffer.alloc(30 * MB) }]);

  it.each([
    ['an executable', ticket('a.pdf', Buffer.from('MZ\x90\x00')), 415],
    ['a page of HTML', ticket('a.pdf', Buffer.from('<html><script>alert(1)</script>')), 415],
    ['a PDF that says it is a picture', ticket('a.png', PDF), 415],
    ['a picture that says it is a PDF', ticket('a.pdf', PNG, 'application/pdf'), 415],
    ['a picture that is cut off', ticket('a.png', PNG.subarray(0, -1)), 415],
    ['a picture that hides an archive', ticket('a.png', Buffer.concat([PNG, PKPASS])), 415],
    ['a ZIP archive', ticket('a.pkpass', zipOf([{ name: 'a', content: PDF }])), 415],
    ['a ZIP bomb', ticket('a.pkpass', bomb), 415],
    ['a file that is too large', ticket('a.pdf', Buffer.concat([PDF, randomBytes(2 * MB), PDF])), 413],
    ['a path', ticket('../../etc/passwd.pdf', PDF), 400],
    ['a path of Windows', ticket('C:\\tickets\\a.pdf', PDF), 400],
  ])('with %s', async (_what, upload, status) => {
    const id = await bought();
    expect((await refused(id, upload))[0]).toBe(status);
    expect([await ticketsOf(id), storedFiles(id)]).toEqual([[], []]);
    expect(readdirSync(join(folder, '.uploads'))).toEqual([]);
  });

  it('with fields that fit no file, and names the field', async () => {
    const id = await bought();
    const one = { name: 'a.pdf', content: PDF, barcode: 'F-1' };
    expect(await refused(id, one, { name: 'b.pdf', content: PDF })).toEqual([
      400,
      40001,
      expect.stringContaining('barcode'),
    ]);
    expect(await refused(id, { ...one, barcode: 'ü' })).toEqual([400, 40001, expect.stringContaining('barcode')]);
    expect(await refused(id, { ...one, seat: 'x'.repeat(51) })).toEqual([400, 40001, expect.stringContaining('seat')]);
    expect((await refused(id)).slice(0, 2)).toEqual([400, 40001]);
    const form = formOf([one]);
    form.append('colour', 'red');
    expect((await postTickets(api, id, form)).status).toBe(400);
  });

  it('as JSON, without a boundary, or for an order that does not exist or is rejected', async () => {
    const id = await bought();
    expect((await api.staff.send('POST', `orders/${id}/tickets`, {})).status).toBe(415);
    const bare = { 'content-type': 'multipart/form-data' };
    expect((await api.staff.send('POST', `orders/${id}/tickets`, 'x', bare)).status).toBe(400);
    expect((await refused('ord_none', { name: 'a.pdf', content: PDF })).slice(0, 2)).toEqual([404, 40400]);
    await api.staff.changeStatus(id, 3004);
    expect((await refused(id, { name: 'a.pdf', content: PDF })).slice(0, 2)).toEqual([409, 40901]);
  });

  it('when it has 200 MB, with or without saying so, and memory stays as it was', async () => {
    const id = await bought();
    const before = process.memoryUsage().rss;
    expect(await sendLargeTicket(api, id, true)).toBe(413);
    expect(await sendLargeTicket(api, id, false)).toBe(413);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MB);
    expect(readdirSync(join(folder, '.uploads'))).toEqual([]);
  });
});

describe('a link', () => {
  it('opens its file without a credential, and each download is in the timeline', async () => {
    const id = await bought();
    const { tickets } = await attach(id, { name: 'Sitz 4 Ä.pdf', content: PDF });
    const url = await linkOf(id, tickets[0]?.id);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    const answers = [await fetch(url), await fetch(url)];
    for (const answer of answers) {
      expect(Buffer.from(await answer.arrayBuffer()).equals(PDF)).toBe(true);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/pdf',
        'content-length': String(PDF.length),
        'content-disposition': `attachment; filename="Sitz 4 _.pdf"; filename*=UTF-8''Sitz%204%20%C3%84.pdf`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox') as string,
        'referrer-policy': 'no-referrer',
        'cache-control': 'private, no-store',
      });
    }
    const link = new URL(url).searchParams.get('link');
    expect((await eventsOf(id)).filter(({ type }) => type === 'TicketDownloaded')).toMatchObject([
      { data: { ticket_id: tickets[0]?.id, link }, metadata: { actor: `link:${link}` } },
    ]);
    const entry = { title: 'Ticket downloaded by its link', actor: `link:${link}` };
    const entries = await downloadsOf(id);
    expect(entries).toMatchObject([entry, { ...entry, detail: { ticket_id: tickets[0]?.id, link } }]);
    expect(entries.map(({ version }) => version !== undefined)).toEqual([true, false]);
  });

  it('does not open another file, another order, or longer than it says', async () => {
    const [one, two] = [await bought(), await bought()];
    const [mine] = (await attach(one, { name: 'a.pdf', content: PDF })).tickets;
    const [theirs] = (await attach(two, { name: 'b.png', content: PNG })).tickets;
    const url = new URL(await linkOf(one, mine?.id, 1));
    const changed = (change: (url: URL) => void) => {
      const copy = new URL(url);
      change(copy);
      return fetch(copy).then(({ status }) => status);
    };
    expect(await changed((copy) => (copy.pathname = `/tickets/${theirs?.id}`))).toBe(403);
    expect(await changed((copy) => copy.searchParams.set('expires', '9999999999'))).toBe(403);
    expect(await changed((copy) => copy.searchParams.set('link', 'lnk_other'))).toBe(403);
    expect(await changed((copy) => copy.searchParams.set('signature', ''))).toBe(403);
    expect(await changed((copy) => (copy.search = ''))).toBe(403);
    const elsewhere = await api.staff.send('POST', `orders/${one}/tickets/${theirs?.id}/link`, {
      expires_in_minutes: 5,
    });
    expect(elsewhere.status).toBe(404);
    expect(await changed(() => undefined)).toBe(200);
    const now = vi.spyOn(api.app.get(DatabaseClock), 'now').mockReturnValue(Date.now() + 61_000);
    expect(await changed(() => undefined)).toBe(403);
    now.mockRestore();
  });

  it('sells nothing twice: tickets that went out by it stay with the order', async () => {
    const id = await bought();
    const [ticket] = (await attach(id, { name: 'a.pdf', content: PDF })).tickets;
    await fetch(await linkOf(id, ticket?.id));
    const before = await api.staff.available('lst-1');
    await api.staff.changeStatus(id, 3007);
    expect(await api.staff.available('lst-1')).toBe(before);
  });
});

describe('files go away', () => {
  const later = () => vi.spyOn(api.app.get(DatabaseClock), 'now').mockReturnValue(Date.now() + 7_200_000);

  it('when the personal data is erased, and then nothing opens them', async () => {
    const id = await bought();
    const { tickets } = await attach(
      id,
      { name: 'a.pdf', content: PDF, barcode: 'ERASED' },
      { name: 'b.png', content: PNG, barcode: '' },
    );
    const url = await linkOf(id, tickets[0]?.id);
    expect((await api.staff.send('DELETE', `orders/${id}/personal-data`)).status).toBe(200);
    expect((await fetch(url)).status).toBe(404);
    expect((await api.staff.get(`orders/${id}/tickets/${tickets[0]?.id}/file`)).status).toBe(404);
    await api.app.get(ObjectRemovals).run();
    expect(storedFiles(id)).toEqual([]);
    expect(await ticketsOf(id)).toMatchObject([
      { name: null, barcode: null, sha256: tickets[0]?.sha256 },
      { name: null },
    ]);
  });

  it('when they are taken back, and when an upload broke off before it was recorded', async () => {
    const id = await bought();
    const { tickets } = await attach(id, { name: 'a.pdf', content: PDF }, { name: 'b.pdf', content: PDF });
    await api.staff.send('DELETE', `orders/${id}/tickets/${tickets[0]?.id}`);
    const broken = await bought();
    await attach(id, { name: 'c.pdf', content: PDF, barcode: 'TAKEN' });
    await refused(broken, { name: 'c.pdf', content: PDF, barcode: 'TAKEN' });
    expect(storedFiles(broken)).toHaveLength(1);
    await api.app.get(ObjectRemovals).run();
    expect([storedFiles(id).length, storedFiles(broken).length]).toEqual([2, 1]);
    const now = later();
    await api.app.get(ObjectRemovals).run();
    now.mockRestore();
    expect([storedFiles(id).length, storedFiles(broken).length]).toEqual([2, 0]);
  });
});

describe('a delivery report', () => {
  const report = async (body: object) => (await api.staff.send('POST', 'delivery-reports', body)).body;
  const ship = (id: string, tracking_number: string) =>
    api.staff.send('POST', `orders/${id}/fulfillment`, { type: 'ship', data: { carrier: 'UPS', tracking_number } });

  it('moves the order whose parcel it is about, once', async () => {
    const id = await bought();
    await ship(id, '1Z999AA10123456784');
    const delivered = { tracking_number: '1Z999AA10123456784', report: 'parcel_delivered', note: 'Left at the door.' };
    const moved = { order_id: id, moved: true, status_code: 2003 };
    expect(await report(delivered)).toEqual({ orders: [moved], ignored: false });
    expect(await report({ ...delivered, report: 'parcel_failed' })).toMatchObject({
      orders: [{ moved: false, status_code: 2003 }],
    });
    const { body } = await api.payment.read(id);
    expect((body as { status_history: object[] }).status_history).toMatchObject([
      {},
      { status_code: 2002 },
      { status_code: 2003 },
    ]);
  });

  it('needs a right tracking number where the settings ask for one', async () => {
    const answer = await ship(await bought(), '1Z999AA10123456785');
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('data.tracking_number')]);
  });

  it('is refused if it names nothing, an unknown parcel, or a parcel for an e-mail', async () => {
    const status = async (body: object) => (await api.staff.send('POST', 'delivery-reports', body)).status;
    expect(await status({ report: 'parcel_failed' })).toBe(400);
    expect(await status({ report: 'parcel_failed', tracking_number: 'unknown' })).toBe(404);
    expect(await status({ report: 'parcel_failed', order_id: 'ord_none' })).toBe(404);
    expect(await status({ report: 'tickets_bounced', tracking_number: '1Z999AA10123456784' })).toBe(400);
    expect(await status({ report: 'lost', order_id: 'x' })).toBe(400);
  });
});

it('brokers handle the tickets of their own orders only', async () => {
  await api.staff.putListing('front', { quantity: 10, seller: 'Front Row' });
  const [own, other] = [await bought({ listing_id: 'front' }), await bought()];
  const broker = await signIn(api, ['broker'], ['Front Row']);
  const upload = (id: string) => {
    const form = new Response(formOf([{ name: 'a.pdf', content: PDF }]));
    return form.arrayBuffer().then((body) =>
      broker.send('POST', `orders/${id}/tickets`, new Uint8Array(body), {
        'content-type': form.headers.get('content-type') ?? '',
      }),
    );
  };
  const answers = [await upload(own), await upload(other)];
  expect(answers.map(({ status }) => status)).toEqual([201, 404]);
  expect(answers[0]?.body).toMatchObject({ tickets: [{ name: 'a.pdf' }] });
});
