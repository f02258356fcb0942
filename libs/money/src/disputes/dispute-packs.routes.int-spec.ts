import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AuditPage } from '#accounts/audit.contract';
import { OrderChanges } from '#orders/order-changes';
import { PaymentSteps } from '#orders/payments/payment-steps';
import { SandboxPaymentProvider } from '#payments/sandbox-payment-provider';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { STAFF_TOKEN } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { chainFeed } from '../../../../test/support/orders/chained-feed.js';
import { moveSomeToFeed } from '../../../../test/support/orders/tampering.js';
import { attachTickets, linkToTicket, PDF, PKPASS } from '../../../../test/support/orders/ticket-files.js';
import { pdfText } from '../../../../test/support/pdf-text.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import type { Dispute, DisputeList } from '../dispute.contract.js';
import { OrderEvidence } from './order-evidence.js';
import { filesInArchive } from './pack-archive.js';

const SYSTEM = { transaction_id: 'test', actor: 'system:test' };
const PERSONAL = [
  'Ada',
  'Lovelace',
  'ada@',
  '555 0100',
  '12 Analytical',
  'Apt 3',
  'Albany',
  '12207',
  '192.0.2.7',
  'lovelace-seats',
];

let api: TestApi;
let folder: string;
let purchases = 0;

beforeAll(async () => {
  [api, folder] = await Promise.all([startTestApi(), mkdtemp(join(tmpdir(), 'packs-'))]);
  await api.staff.putListing('lst-1', { quantity: 500, seller: 'seller-1', notes: 'No refunds after the show.' });
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

type Body = ReturnType<typeof cardBody>;

async function bought(change: (body: Body) => void = () => undefined): Promise<string> {
  const body = { ...cardBody(), ref_id: `pack-${(purchases += 1)}` };
  change(body);
  const id = await api.payment.bought(body);
  await api.app.get(PaymentSteps).run(id, SYSTEM);
  return id;
}

/** By a bank that tells of it now. */
async function disputed(orderId: string): Promise<Dispute> {
  const told = { reason: 'fraudulent', amount_cents: 25_460, currency: 'USD', fees: [], inquiry: false, due_at: null };
  const dispute = { ...told, reference: `du_${orderId}`, state: 'open' } as const;
  const disputeId = `dp_${orderId.slice(4)}`;
  await api.app.get(OrderChanges).apply(orderId, { type: 'RecordDispute', disputeId, dispute }, SYSTEM);
  const { disputes } = (await api.staff.get('disputes?limit=200')).body as DisputeList;
  return disputes.find(({ id }) => id === disputeId) ?? expect.fail('there is no dispute');
}

async function download(id: string, query = ''): Promise<Response> {
  return await fetch(`${api.url}/backoffice/v1/disputes/${id}/pack${query}`, {
    headers: { authorization: `Bearer ${STAFF_TOKEN}` },
  });
}

async function pack(id: string, query = ''): Promise<Buffer> {
  const answer = await download(id, query);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  return Buffer.from(await answer.arrayBuffer());
}

async function opened(archive: Buffer) {
  const files = await filesInArchive(archive);
  const content = (name: string) => files.find((file) => file.name === name)?.content ?? expect.fail(`no ${name}`);
  const manifest = JSON.parse(String(content('manifest.json'))) as {
    as_of: string;
    files: { name: string; sha256: string }[];
    left_out: { name: string; sha256: string }[];
  };
  return { files, manifest, text: pdfText(content('evidence.pdf')) };
}

describe('the pack of a dispute', () => {
  it('has the document, the files of the tickets, and what each of them is', async () => {
    const orderId = await bought();
    const { tickets } = await attachTickets(api, orderId, [
      { name: 'lovelace-seats.pdf', content: PDF, barcode: 'BAR-4711' },
      { name: 'pass.pkpass', content: PKPASS, barcode: 'BAR-4712' },
    ]);
    const link = await linkToTicket(api, orderId, tickets[0]?.id);
    for (let time = 0; time < 2; time += 1) expect((await fetch(link)).status).toBe(200);
    await api.pool.query(
      `insert into mails (id, order_id, kind, state, created_at, requested_by, due_at, sent_at)
       select 'mai_' || state, $1, 'confirmation', state, now(), 'system:mail', now(), now() from unnest('{sent,bounced}'::text[]) state`,
      [orderId],
    );
    await api.pool.query(
      `update pings set state = 'delivered', delivered_at = now(), next_try_at = null where order_id = $1`,
      [orderId],
    );
    await api.pool.query('insert into platform_reads (order_id, version, read_at) values ($1, 5, now())', [orderId]);
    const dispute = await disputed(orderId);
    await moveSomeToFeed(api.pool);
    await chainFeed(api.databaseUrl, api.pool, join(folder, 'anchors.jsonl'));
    const { files, manifest, text } = await opened(await pack(dispute.id, '?clear=true'));
    const names = ['evidence.pdf', 'tickets/1.pdf', 'tickets/2.pkpass'];
    expect(files.map(({ name }) => name)).toEqual([...names, 'manifest.json']);
    expect(files[1]?.content).toEqual(PDF);
    expect(manifest).toMatchObject({ as_of: expect.any(String), dispute_id: dispute.id, masked: false, left_out: [] });
    expect(manifest.files).toEqual(
      files.slice(0, -1).map(({ name, content }) => ({ name, sha256: hash('sha256', content, 'hex') })),
    );
    const told = [
      'The buyer bought 2 tickets for 254.60 USD.',
      'No refunds after the show.',
      'The platform was told: Confirmed.',
      'The platform read version 5 of the order.',
      'Agreed from the IP address',
      'The payment of 254.60 USD was captured by sandbox:',
      `sandbox_${orderId}.`,
      'A ticket was downloaded by the link that the buyer was sent.',
      'A ticket was downloaded again by its link.',
      'buyer, by link',
      'whose chain was signed at 2026-03-01 12:00:00',
      'tickets/1.pdf (lovelace-seats.pdf)',
      ...PERSONAL.filter((part) => part !== 'lovelace-seats'),
    ];
    const flowing = text.replaceAll('\n', ' ');
    for (const words of told) expect(flowing).toContain(words);
    const { rows } = await api.pool.query<{ hash: string }>(
      `select encode(hash, 'hex') as hash from events where stream = $1 order by position`,
      [`order-${orderId}`],
    );
    for (const event of rows) expect(flowing).toContain(event.hash);
    expect(flowing.match(/mail server accepted/g)).toHaveLength(1);
    expect(flowing).not.toContain('BAR-4711');
  });

  it('shows nobody in clear unless it is asked to, and no ticket', async () => {
    const orderId = await bought();
    await attachTickets(api, orderId, [{ name: 'lovelace-seats.pdf', content: PDF }]);
    const { id } = await disputed(orderId);
    const archive = await pack(id);
    const { files, manifest, text } = await opened(archive);
    expect(files.map(({ name }) => name)).toEqual(['evidence.pdf', 'manifest.json']);
    expect(manifest.left_out).toEqual([{ name: 'tickets/1.pdf', sha256: hash('sha256', PDF, 'hex') }]);
    expect(text).toContain('a••@example.com');
    const everything = `${text}\n${files.map(({ content }) => content.toString('latin1')).join('\n')}`.toLowerCase();
    // An id may have a name in it by chance.
    const readable = everything.replaceAll(/[0-9a-f]{32,}/g, '').replaceAll('\n', ' ');
    for (const part of PERSONAL) expect(readable).not.toContain(part.toLowerCase());
  });

  it.each(['', '?clear=true'])('is the same bytes whatever happens after it was made (%s)', async (query) => {
    const orderId = await bought();
    const { id } = await disputed(orderId);
    const first = await pack(id, query);
    const other = await pack(id, query === '' ? '?clear=true' : '');
    await attachTickets(api, orderId, [{ name: 'late.pdf', content: PDF }]);
    await api.staff.changeStatus(orderId, 2003);
    await api.pool.query('delete from ping_attempts; update listings set version = version + 1');
    expect((await pack(id, query)).equals(first)).toBe(true);
    expect((await opened(other)).manifest.as_of).toBe((await opened(first)).manifest.as_of);

    const renewed = await pack(id, `${query === '' ? '?' : `${query}&`}renew=true`);
    expect(renewed.equals(first)).toBe(false);
    expect((await opened(renewed)).text).toContain('Added for the buyer: 1 ticket file.');
    expect((await pack(id, query)).equals(renewed)).toBe(true);
  });

  it('is made once when several ask for it at once', async () => {
    const { id } = await disputed(await bought());
    const made = await Promise.all([1, 2, 3, 4].map(() => pack(id)));
    expect(new Set(made.map((archive) => hash('sha256', archive, 'hex'))).size).toBe(1);
  });

  it('is sealed, and is gone with the personal data of its order', async () => {
    const orderId = await bought();
    const { id } = await disputed(orderId);
    const before = await pack(id, '?clear=true');
    const stored = await api.pool.query<{ clear: Buffer }>('select clear from dispute_packs where dispute_id = $1', [
      id,
    ]);
    expect(stored.rows[0]?.clear.includes('evidence.pdf')).toBe(false);
    await api.app.get(OrderChanges).apply(orderId, { type: 'ErasePersonalData' }, SYSTEM);
    const left = await api.pool.query('select from dispute_packs where dispute_id = $1', [id]);
    expect(left.rowCount).toBe(0);
    const after = await pack(id, '?clear=true');
    expect(after.equals(before)).toBe(false);
    const { text } = await opened(after);
    expect(text).toContain('Nothing is kept of the buyer.');
    for (const part of PERSONAL) expect(text).not.toContain(part);
    expect((await pack(id, '?clear=true')).equals(after)).toBe(true);
  });

  it('is open to who may read about money, in clear only to who may reveal, and then audited', async () => {
    const { id, order_id: order } = await disputed(await bought());
    const viewer = await signIn(api, ['viewer']);
    const status = async (query: string) => (await viewer.get(`disputes/${id}/pack${query}`)).status;
    expect(await Promise.all(['', '?clear=true', '?renew=true', '?clear=maybe'].map(status))).toEqual([
      200, 403, 403, 400,
    ]);
    const audited = async () =>
      ((await api.staff.get('audit?action=dispute.pack_opened&limit=1')).body as AuditPage).entries[0];
    const before = await audited();
    await pack(id);
    expect(await audited()).toEqual(before);
    await pack(id, '?clear=true');
    const detail = { order, clear: true, renewed: false };
    expect(await audited()).toMatchObject({ subject: `dispute:${id}`, detail });
    expect((await download('dp_none')).status).toBe(404);
  });

  it('goes to the provider with the evidence', async () => {
    const orderId = await bought();
    await attachTickets(api, orderId, [
      { name: 'a.pdf', content: PDF },
      { name: 'b.pkpass', content: PKPASS },
    ]);
    const { id } = await disputed(orderId);
    const sending = vi.spyOn(SandboxPaymentProvider.prototype, 'sendEvidence').mockResolvedValue();
    expect((await api.staff.send('POST', `disputes/${id}/evidence`, { submit: true })).status).toBe(200);
    const [, evidence] = sending.mock.calls[0] ?? [];
    sending.mockRestore();
    const { files } = await opened(await pack(id, '?clear=true'));
    const pdf = { name: 'evidence.pdf', type: 'application/pdf', content: files[0]?.content };
    expect(evidence).toMatchObject({ files: [pdf, { name: 'tickets-1.pdf', content: PDF }] });
  });
});

describe('earlier orders of the buyer', () => {
  const daysAgo = (ids: readonly string[], days: number) =>
    api.pool.query(
      `update personal_data_keys set placed_at = now() - make_interval(days => $2) where order_id = any($1)`,
      [ids, days],
    );
  const buyer = (email: string, ip: string, street: string) => (body: Body) => {
    Object.assign(body.user, { email, ip_address: ip, phone: null });
    Object.assign(body.delivery_method.data, { address1: street, phone: '' });
  };

  it('stand in the pack if they share an address and are as old as Visa wants', async () => {
    const like = buyer('grace@example.com', '198.51.100.1', '1 Navy Yard');
    const [both, ip, street, nothing, young, old, lost] = [
      await bought(like),
      await bought(buyer('grace@example.com', '198.51.100.1', '2 Other Road')),
      await bought(buyer('GRACE@example.com', '198.51.100.9', '1 navy  yard')),
      await bought(buyer('grace@example.com', '198.51.100.9', '2 Other Road')),
      await bought(like),
      await bought(like),
      await bought(like),
    ];
    await daysAgo([both, ip, street, nothing, lost], 200);
    await daysAgo([young], 119);
    await daysAgo([old], 366);
    await disputed(lost);
    const dispute = await disputed(await bought(like));
    const flowing = (await opened(await pack(dispute.id))).text.replaceAll('\n', ' ');
    const listed = [both, ip, street, nothing, young, old, lost].filter((id) => flowing.includes(id));
    expect(listed).toEqual([both, ip, street]);
    expect(flowing).toContain('IP address, address,');

    const { compelling } = await api.app.get(OrderEvidence).of(dispute);
    const payments = compelling?.earlier.map(({ payment }) => payment) ?? [];
    expect(payments.toSorted()).toEqual([`sandbox_${both}`, `sandbox_${ip}`].toSorted());
    expect(compelling?.disputed).toMatchObject({
      email: 'grace@example.com',
      ip: '198.51.100.1',
      address: { address1: '1 Navy Yard', zip: '12207-1234' },
      product: expect.stringMatching(/^2 tickets: /),
    });
  });

  it('are no evidence for Visa if there is only one, or if another card paid', async () => {
    const like = buyer('mary@example.com', '198.51.100.2', '3 Jet Street');
    const [one, other] = [
      await bought(like),
      await bought((body) => {
        like(body);
        body.payment.data.card_number = '4242424242424242';
      }),
    ];
    await daysAgo([one, other], 200);
    const dispute = await disputed(await bought(like));
    expect((await api.app.get(OrderEvidence).of(dispute)).compelling).toBeNull();
    expect((await opened(await pack(dispute.id))).text).toContain('none of them disputed');
  });
});
