import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sealer } from '#base/sealing';
import type { OrderDetail } from '#orders/order.contract';
import { loadLedgerProof } from '#upkeep/ledger-proof';
import { verify } from '#upkeep/verify';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { call, codesOf, messagesOf, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { pdfText } from '../../../../test/support/pdf-text.js';
import { everythingStored } from '../../../../test/support/postgres/table-state.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import type { BarcodeList } from '../barcode.contract.js';
import type { OrderTicketList } from '../ticket.contract.js';

let api: TestApi;
let purchases = 0;

beforeAll(async () => {
  api = await startTestApi({ FILES_DIR: temporaryFolder('barcodes') });
  const download = { type: 'download', name: 'Tickets', form: 'barcodes', cost: 0 } as const;
  const ship = { type: 'ship', name: 'Courier', form: 'label', cost: 15.07 } as const;
  await api.staff.putListing('numbers', {
    quantity: 500,
    tax_rate: 0,
    tax_rates: {},
    delivery_methods: [download, ship],
  });
});
// After all tests the tables must agree with the log.
afterAll(async () => {
  const proof = await loadLedgerProof(api.pool, api.app.get(Sealer), []);
  expect((await verify(api.pool, proof)).differences).toEqual([]);
  await api.close();
});

function bought(type: 'download' | 'ship' = 'download'): Promise<string> {
  purchases += 1;
  const body = cardBody();
  const data = type === 'ship' ? body.delivery_method.data : {};
  const payment = { ...body.payment, total: type === 'ship' ? 235.07 : 220 };
  const product = { ...body.product, listing_id: 'numbers' };
  return api.payment.bought({ ...body, product, ref_id: `b-${purchases}`, payment, delivery_method: { type, data } });
}
const give = (id: string, ...barcodes: readonly (readonly [seat: string, barcode: string])[]) =>
  api.staff.send('POST', `orders/${id}/barcodes`, { barcodes: barcodes.map(([seat, barcode]) => ({ seat, barcode })) });
const replace = (id: string, seat: string, barcode: string) =>
  api.staff.send('PUT', `orders/${id}/barcodes/${seat}`, { barcode, reason: 'Refused at gate 3' });
const order = async (id: string) => (await api.staff.get(`orders/${id}`)).body as OrderDetail;
const files = async (id: string) => ((await api.staff.get(`orders/${id}/tickets`)).body as OrderTicketList).tickets;
const open = async (url: string) => {
  const answer = await fetch(url.replace(/^https?:\/\/[^/]+/, api.url));
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
};

describe('barcodes of seats', () => {
  it('make the tickets with the last one, which the buyer opens on one page', async () => {
    const id = await bought();
    const first = await give(id, ['1', 'AB 100']);
    expect([first.status, (await order(id)).status]).toMatchObject([201, { status_code: 2000 }]);
    expect((first.body as OrderDetail).delivery).toMatchObject({
      next_action: 'enter_barcodes',
      seats: [{ barcode: 'given' }, { barcode: 'none' }],
    });
    expect((await give(id, ['2', 'AB 101'])).status).toBe(201);
    expect((await give(id, ['1', 'AB 100'], ['2', 'AB 101'])).status).toBe(200);
    const { status, fulfillment, delivery } = await order(id);
    expect([status, delivery.next_action]).toMatchObject([{ status_code: 2004 }, 'done']);
    const url = (fulfillment as { data: { url: string } }).data.url;
    const page = await open(url);
    expect(page.status).toBe(200);
    const links = [...page.bytes.toString().matchAll(/href="([^"]+\/tickets\/tkt_[^"]+)"/g)];
    expect(links).toHaveLength(2);
    const ticket = await open((links[0]?.[1] ?? '').replaceAll('&#38;', '&'));
    expect(pdfText(ticket.bytes)).toContain('AB 100');
    expect((await open(url.replace('signature=', 'signature=x'))).status).toBe(403);
    expect(await everythingStored(api.pool)).not.toContain('AB 100');
  });

  it('are one for an event, whether of a seat or of a file, until they are free again', async () => {
    const [id, other] = [await bought(), await bought()];
    await give(id, ['1', 'ONE-1']);
    expect(codesOf(await give(other, ['1', 'ONE-1']))).toEqual([40902]);
    expect(codesOf(await give(other, ['1', 'ONE-2'], ['2', 'ONE2'], ['2', 'X']))).toEqual([40001]);
    expect(codesOf(await give(other, ['1', 'SAME'], ['2', 'SAME']))).toEqual([40902]);
    await api.staff.changeStatus(id, 3004);
    expect((await give(other, ['1', 'ONE-1'])).status).toBe(201);
  });

  it('are given again after one was refused, and its ticket is made anew', async () => {
    const id = await bought();
    await give(id, ['1', 'BAD-1'], ['2', 'OK-2']);
    const refusal = { kind: 'barcode_refused', order_id: id, seat: '1' };
    expect((await api.staff.send('POST', 'delivery-reports', refusal)).status).toBe(200);
    expect((await order(id)).delivery.next_action).toBe('reenter_barcodes');
    const answer = await replace(id, '1', 'GOOD-1');
    expect([answer.status, (await order(id)).status]).toMatchObject([200, { status_code: 2004 }]);
    expect((await replace(id, '1', 'GOOD-1')).status).toBe(200);
    const { barcodes } = (await api.staff.get(`orders/${id}/barcodes`)).body as BarcodeList;
    expect(barcodes).toMatchObject([
      { seat: '1', barcode: 'GOOD-1', state: 'given', reason: 'Refused at gate 3' },
      { seat: '2', barcode: 'OK-2', reason: null },
    ]);
    const left = (await files(id)).filter(({ withdrawn_at: at }) => at === null);
    expect(left).toHaveLength(2);
    expect(new Set(left.map(({ barcode }) => barcode))).toEqual(new Set(['GOOD-1', 'OK-2']));
    expect((await give(await bought(), ['1', 'BAD-1'])).status).toBe(201);
  });

  it('show their end to whoever may only read', async () => {
    const id = await bought();
    await give(id, ['1', 'SECRET-4711']);
    const reader = await signIn(api, ['auditor']);
    const { body } = await reader.get(`orders/${id}/barcodes`);
    expect((body as BarcodeList).barcodes).toMatchObject([{ barcode: '••4711', reason: null }]);
  });

  it.each([
    ['a seat that the order has not', (id: string) => give(id, ['9', 'Y']), 40001, 'barcodes[0].seat'],
    ['another barcode of a seat that has none', (id: string) => replace(id, '1', 'Y'), 40901, undefined],
    ['an unknown order', () => give('ord_none', ['1', 'Y']), 40400, undefined],
  ])('refuse %s', async (_what, send, code, message) => {
    const answer = await send(await bought());
    expect(codesOf(answer)).toEqual([code]);
    if (message !== undefined) expect(messagesOf(answer)[0]).toContain(message);
  });
});

describe('tickets made here', () => {
  const make = (id: string, body: object) => api.staff.send('POST', `orders/${id}/tickets/made`, body);

  it('are a PDF for each seat with a barcode', async () => {
    const id = await bought();
    expect(codesOf(await make(id, { kind: 'pdf' }))).toEqual([40901]);
    await give(id, ['2', 'MADE-2']);
    const answer = await make(id, { kind: 'pdf', seats: ['2'] });
    expect([answer.status, answer.body]).toMatchObject([201, { tickets: [{ seat: '2', barcode: 'MADE-2' }] }]);
    expect(codesOf(await make(id, { kind: 'pkpass', seats: ['2'] }))).toEqual([40901]);
    expect(codesOf(await make(id, { kind: 'pdf', seats: ['2', '2'] }))).toEqual([40001]);
    // Again, although its barcode is in use by its seat and by a file.
    expect((await make(id, { kind: 'pdf', seats: ['2'] })).status).toBe(201);
    const other = { barcodes: [{ seat: '1', barcode: 'MADE-2' }] };
    expect(codesOf(await api.staff.send('POST', `orders/${await bought()}/barcodes`, other))).toEqual([40902]);
  });
});

describe('the label of a parcel', () => {
  it('is made once, and has the address', async () => {
    const id = await bought('ship');
    const print = () => api.staff.send('POST', `orders/${id}/label`);
    const [first, again] = [await print(), await print()];
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
    expect((await order(id)).delivery.next_action).toBe('wait_for_pickup');
    const { url } = first.body as { url: string };
    const path = url.slice(url.indexOf('/backoffice/v1/') + '/backoffice/v1/'.length);
    const pdf = await fetch(`${api.url}/backoffice/v1/${path}`, {
      headers: { authorization: `Bearer ${STAFF_TOKEN}` },
    });
    expect(pdfText(Buffer.from(await pdf.arrayBuffer()))).toContain('Lovelace');
    expect((await call(`${api.url}/backoffice/v1/${path}`, 'GET')).status).toBe(401);
  });

  it('is not of a download', async () => {
    expect(codesOf(await api.staff.send('POST', `orders/${await bought()}/label`))).toEqual([40901]);
  });
});
