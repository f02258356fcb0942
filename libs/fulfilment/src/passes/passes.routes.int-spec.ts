import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sealer } from '#base/sealing';
import { loadLedgerProof } from '#upkeep/ledger-proof';
import { verify } from '#upkeep/verify';
import { PUBLIC_URL } from '../../../../test/support/api-environment.js';
import { startTestApi } from '../../../../test/support/api.js';
import { codesOf, STAFF_TOKEN } from '../../../../test/support/callers.js';
import { JobStand } from '../../../../test/support/orders/job-stand.js';
import { openedPass, type PassJson, passSettings } from '../../../../test/support/orders/passes.js';
import { everythingStored } from '../../../../test/support/postgres/table-state.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import type { OrderTicketList, TicketList } from '../ticket.contract.js';

const DEVICE = 'd3v1ce0f0ne1phone0000000000000001';
let stand: JobStand;
let settings: Awaited<ReturnType<typeof passSettings>>;

beforeAll(async () => {
  settings = await passSettings();
  stand = await JobStand.start({
    FILES_DIR: temporaryFolder('pass-files'),
    MAIL_FROM: 'Acme <a@acme.example>',
    ...settings,
  });
});
// After all tests the tables must agree with the log.
afterAll(async () => {
  const { api } = stand;
  const proof = await loadLedgerProof(api.pool, api.app.get(Sealer), []);
  expect((await verify(api.pool, proof)).differences).toEqual([]);
  await api.close();
});

const put = async (path: string, body: object) => {
  const answer = await stand.api.staff.send('PUT', path, body);
  if (answer.status !== 200) throw new Error(answer.text);
};

/** An order of seats 1 and 2, with barcodes, of a show of its own in New York. */
async function bought(): Promise<string> {
  await stand.nextShow();
  await put('catalogue/venues/9001', { name: 'Hall', city: 'New York', state: 'NY', country: 'US' });
  const times = { datetime_local: '2027-12-04T20:00:00', datetime_utc: '2027-12-05T01:00:00' };
  await put(`catalogue/events/${stand.show}`, { title: 'Ada Quartet', ...times, venue: { id: 9001 } });
  const download = { type: 'download', name: 'Tickets', form: 'barcodes', cost: 0 } as const;
  const listing = `${stand.show}-barcodes`;
  const free = { quantity: 10, tax_rate: 0, tax_rates: {}, row: 'Ä' };
  await stand.api.staff.putListing(listing, { event_id: stand.show, ...free, delivery_methods: [download] });
  const body = cardBody();
  const id = await stand.api.payment.bought({
    ...body,
    ref_id: stand.refId(),
    product: { event_id: stand.show, listing_id: listing, quantity: 2 },
    payment: { ...body.payment, total: 220 },
    delivery_method: { type: 'download', data: {} },
  });
  const barcodes = ['1', '2'].map((seat) => ({ seat, barcode: `PASS ${stand.show} ${seat}` }));
  const given = await stand.api.staff.send('POST', `orders/${id}/barcodes`, { barcodes });
  expect(given.status).toBe(201);
  return id;
}

const make = (id: string, seats?: readonly string[]) =>
  stand.api.staff.send('POST', `orders/${id}/tickets/made`, { kind: 'pkpass', ...(seats && { seats }) });
const made = async (id: string, seats?: readonly string[]) => {
  const answer = await make(id, seats);
  expect(answer.status).toBe(201);
  return (answer.body as TicketList).tickets;
};
const files = async (id: string) =>
  ((await stand.api.staff.get(`orders/${id}/tickets`)).body as OrderTicketList).tickets;

async function fileOf(id: string, ticket: string): Promise<Buffer> {
  const url = `${stand.api.url}/backoffice/v1/orders/${id}/tickets/${ticket}/file`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${STAFF_TOKEN}` } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vnd.apple.pkpass']);
  return Buffer.from(await answer.arrayBuffer());
}

/** A pass of the order's seat 1, and who has it. */
async function owned() {
  const id = await bought();
  const [ticket] = await made(id, ['1']);
  const { pass } = await openedPass(await fileOf(id, ticket?.id ?? ''));
  return { id, pass, phone: new Phone(pass) };
}

/** Does what an iPhone does. */
class Phone {
  constructor(
    private readonly pass: PassJson,
    private readonly device = DEVICE,
    readonly token = pass.authenticationToken,
  ) {}

  register = () =>
    this.ask('POST', `${this.registrations}/${this.pass.serialNumber}`, JSON.stringify({ pushToken: 'p' }));
  unregister = () => this.ask('DELETE', `${this.registrations}/${this.pass.serialNumber}`);
  newest = (since?: string) =>
    this.ask('GET', `passes/${this.pass.passTypeIdentifier}/${this.pass.serialNumber}`, undefined, since);

  async updated(tag?: string): Promise<{ serialNumbers: string[]; lastUpdated: string } | undefined> {
    const answer = await this.ask('GET', `${this.registrations}${tag ? `?passesUpdatedSince=${tag}` : ''}`);
    expect([200, 204]).toContain(answer.status);
    return answer.status === 204
      ? undefined
      : ((await answer.json()) as { serialNumbers: string[]; lastUpdated: string });
  }

  private get registrations(): string {
    return `devices/${this.device}/registrations/${this.pass.passTypeIdentifier}`;
  }

  private ask(method: string, path: string, body?: string, since?: string): Promise<Response> {
    const url = `${this.pass.webServiceURL ?? ''}v1/${path}`.replace(PUBLIC_URL, stand.api.url);
    const headers = { authorization: `ApplePass ${this.token}`, ...(since && { 'if-modified-since': since }) };
    return fetch(url, { method, headers, ...(body !== undefined && { body }) });
  }
}

const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
const valuesOf = ({ eventTicket }: PassJson) =>
  Object.fromEntries(Object.values(eventTicket).flatMap((list) => list.map(({ key, value }) => [key, value])));

describe('a pass', () => {
  it('says what its ticket says, and is a file of the order', async () => {
    const id = await bought();
    const tickets = await made(id);
    expect(tickets).toMatchObject([
      {
        seat: '1',
        barcode: `PASS ${stand.show} 1`,
        type: 'application/vnd.apple.pkpass',
        name: 'Ticket, seat 1.pkpass',
      },
      { seat: '2', barcode: `PASS ${stand.show} 2` },
    ]);
    const { pass, files: parts } = await openedPass(await fileOf(id, tickets[0]?.id ?? ''));
    expect(pass).toMatchObject({
      formatVersion: 1,
      organizationName: 'Acme',
      passTypeIdentifier: settings.PASS_TYPE_ID,
      teamIdentifier: settings.PASS_TEAM_ID,
      relevantDate: '2027-12-05T01:00:00.000Z',
      webServiceURL: `${PUBLIC_URL}/passes/`,
      barcodes: [{ format: 'PKBarcodeFormatQR', message: `PASS ${stand.show} 1` }],
    });
    expect(valuesOf(pass)).toEqual({
      event: 'Ada Quartet',
      venue: 'Hall',
      date: '2027-12-04T20:00:00-05:00',
      section: 'Floor',
      row: 'Ä',
      seat: '1',
      order: id,
    });
    expect(pass.voided).toBeUndefined();
    expect([...parts.keys()]).toEqual(expect.arrayContaining(['icon.png', 'icon@2x.png', 'logo.png', 'signature']));
  });

  const openssl = spawnSync('openssl', ['version']).status === 0;
  it.skipIf(!openssl)('is signed by the certificate (skipped without the program openssl)', async () => {
    const id = await bought();
    const [ticket] = await made(id, ['1']);
    const { files: parts } = await openedPass(await fileOf(id, ticket?.id ?? ''));
    const folder = temporaryFolder('signature');
    for (const name of ['signature', 'manifest.json']) writeFileSync(join(folder, name), parts.get(name) ?? '');
    const check = ['smime', '-verify', '-inform', 'DER', '-in', 'signature', '-content', 'manifest.json', '-binary'];
    const checked = () =>
      execFileSync('openssl', [...check, '-CAfile', settings.PASS_WWDR_FILE, '-purpose', 'any'], {
        cwd: folder,
        stdio: 'pipe',
      });
    expect(checked().toString()).toBe(parts.get('manifest.json')?.toString());
    writeFileSync(join(folder, 'manifest.json'), '{}');
    expect(checked).toThrow('Verification failure');
  });

  it('is the same when it is made again, until its barcode is another one', async () => {
    const id = await bought();
    const first = await made(id);
    expect(await made(id)).toEqual(first);
    expect(await made(id, ['2'])).toEqual(first.slice(1));
    const other = { barcode: 'OTHER 1', reason: 'Refused at gate 3' };
    expect((await stand.api.staff.send('PUT', `orders/${id}/barcodes/1`, other)).status).toBe(200);
    const live = (await files(id)).filter(({ withdrawn_at: at }) => at === null);
    expect(live.map(({ name, barcode }) => `${name} ${barcode}`).toSorted()).toEqual([
      'Ticket, seat 1.pdf OTHER 1',
      'Ticket, seat 1.pkpass OTHER 1',
      `Ticket, seat 2.pdf PASS ${stand.show} 2`,
      `Ticket, seat 2.pkpass PASS ${stand.show} 2`,
    ]);
    expect((await made(id)).map(({ barcode }) => barcode)).toEqual(['OTHER 1', `PASS ${stand.show} 2`]);
    expect(await files(id)).toHaveLength(6);
  });

  it('stands beside the PDF on the page of the buyer', async () => {
    const id = await bought();
    await made(id, ['1']);
    const { fulfillment } = await stand.order(id);
    const { url } = (fulfillment as { data: { url: string } }).data;
    const page = await (await fetch(url.replace(PUBLIC_URL, stand.api.url))).text();
    expect([...page.matchAll(/>([^<]+)<\/a>/g)].map(([, text]) => text)).toEqual([
      'Ticket, seat 1',
      'Pass for Apple Wallet, seat 1',
      'Ticket, seat 2',
    ]);
  });

  it('needs a barcode and a seat of the order', async () => {
    const id = await bought();
    expect(codesOf(await make(id, ['9']))).toEqual([40001]);
    expect(codesOf(await make('ord_none'))).toEqual([40400]);
  });
});

describe('a pass on a phone', () => {
  it('is registered once, and forgotten', async () => {
    const { phone, pass } = await owned();
    expect([(await phone.register()).status, (await phone.register()).status]).toEqual([201, 200]);
    expect((await phone.updated())?.serialNumbers).toContain(pass.serialNumber);
    expect([(await phone.unregister()).status, (await phone.unregister()).status]).toEqual([200, 200]);
    expect((await phone.updated())?.serialNumbers ?? []).not.toContain(pass.serialNumber);
  });

  it('has the new date after its show has moved', async () => {
    const { phone, pass } = await owned();
    await phone.register();
    const tag = (await phone.updated())?.lastUpdated;
    expect(await phone.updated(tag)).toBeUndefined();
    const first = await phone.newest();
    const modified = first.headers.get('last-modified') ?? '';
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/vnd.apple.pkpass']);
    expect((await openedPass(await bytesOf(first))).pass).toEqual(pass);
    expect((await phone.newest(modified)).status).toBe(304);

    const moved = { datetime_local: '2028-06-02T19:30:00' };
    await stand.run({ kind: 'postpone_event', event_id: stand.show, arguments: moved });
    const updated = await phone.updated(tag);
    expect(updated?.serialNumbers).toEqual([pass.serialNumber]);
    expect(await phone.updated(updated?.lastUpdated)).toBeUndefined();
    const second = await phone.newest(modified);
    expect(second.status).toBe(200);
    const { pass: newest } = await openedPass(await bytesOf(second));
    expect(valuesOf(newest)['date']).toMatch(/^2028-06-02T19:30:00-0[45]:00$/);
    expect((await phone.newest(second.headers.get('last-modified') ?? '')).status).toBe(304);

    await stand.run({ kind: 'postpone_event', event_id: stand.show });
    const open = await openedPass(await bytesOf(await phone.newest(modified)));
    expect([open.pass.relevantDate, valuesOf(open.pass)['date']]).toEqual([undefined, 'To be announced']);
  });

  it('is told from the others of the phone, however fast those change', async () => {
    const [first, second] = [await owned(), await owned()];
    const [one, other] = [first, second].map(({ pass }) => new Phone(pass, 'phone-of-two'));
    for (const phone of [one, other]) expect((await phone?.register())?.status).toBe(201);
    const replace = (barcode: string) =>
      stand.api.staff.send('PUT', `orders/${first.id}/barcodes/1`, { barcode, reason: 'Refused' });
    for (const barcode of ['FAST 1', 'FAST 2', 'FAST 3', 'FAST 4']) expect((await replace(barcode)).status).toBe(200);
    const tag = (await one?.updated())?.lastUpdated;
    await stand.api.staff.changeStatus(second.id, 3004);
    expect((await one?.updated(tag))?.serialNumbers).toEqual([second.pass.serialNumber]);
  });

  it('is void, and without a barcode, once its order is rejected', async () => {
    const { id, phone, pass } = await owned();
    await phone.register();
    const tag = (await phone.updated())?.lastUpdated;
    await stand.api.staff.changeStatus(id, 3004);
    expect((await phone.updated(tag))?.serialNumbers).toEqual([pass.serialNumber]);
    const { pass: newest } = await openedPass(await bytesOf(await phone.newest()));
    expect([newest.voided, newest.barcodes]).toEqual([true, undefined]);
    expect(codesOf(await make(id))).toEqual([40901]);
  });

  it.each([
    ['none', ''],
    ['a wrong one', 'A'.repeat(43)],
  ])('is for nobody with %s of its tokens', async (_which, token) => {
    const { pass } = await owned();
    const { pass: other } = await owned();
    for (const stranger of [new Phone(pass, DEVICE, token), new Phone(pass, DEVICE, other.authenticationToken)]) {
      const answers = [await stranger.register(), await stranger.unregister(), await stranger.newest()];
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    }
    expect((await new Phone({ ...pass, passTypeIdentifier: 'pass.other' }).newest()).status).toBe(404);
  });

  it('leaves nothing of the device after its pass, or the data of its buyer, was removed', async () => {
    const { id, phone } = await owned();
    const stored = async () => await stand.api.pool.query('select device from pass_registrations');
    const before = (await stored()).rowCount ?? 0;
    await phone.register();
    expect((await stored()).rowCount).toBe(before + 1);
    expect(await everythingStored(stand.api.pool)).not.toContain(DEVICE);
    expect((await stand.api.staff.send('DELETE', `orders/${id}/personal-data`)).status).toBe(200);
    expect((await stored()).rowCount).toBe(before);
    expect([(await phone.newest()).status, (await phone.register()).status]).toEqual([404, 404]);
    expect(stand.api.log.join('\n')).not.toContain(DEVICE);
  });

  it('is kept for a few devices only', async () => {
    const { pass } = await owned();
    const phones = Array.from({ length: 21 }, (_, index) => new Phone(pass, `other-phone-${index}`));
    for (const phone of phones) expect((await phone.register()).status).toBe(201);
    const text = 'select count(*)::int as count from pass_registrations where serial = $1';
    expect((await stand.api.pool.query(text, [pass.serialNumber])).rows).toEqual([{ count: 20 }]);
  });

  it('is asked for only so often', async () => {
    const { phone } = await owned();
    const answers = await Promise.all(Array.from({ length: 32 }, () => phone.newest('Fri, 01 Jan 2100 00:00:00 GMT')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([304, 429]));
  });

  it('may complain, in few words', async () => {
    const logs = [`device ${DEVICE}:\n${'no '.repeat(200)}`, ...Array.from({ length: 20 }, () => 'again')];
    const send = (body: object) =>
      fetch(`${stand.api.url}/passes/v1/log`, { method: 'POST', body: JSON.stringify(body) });
    expect([(await send({ logs })).status, (await send({ logs: 7 })).status]).toEqual([200, 400]);
    const line = stand.api.log.find((text) => text.includes('wallet on a device')) ?? '';
    expect(line).toContain('device …: no no');
    expect(line.length).toBeLessThan(500);
  });
});

it('without a certificate no pass is made, and nothing is served', async () => {
  const api = await startTestApi();
  const answers = [
    await fetch(`${api.url}/passes/v1/passes/pass.a/b`),
    await fetch(`${api.url}/passes/v1/devices/a/registrations/pass.a`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  await api.close();
});
