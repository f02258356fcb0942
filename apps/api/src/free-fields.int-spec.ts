import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { Settings } from '#base/settings';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { broken } from '../../../test/support/broken.js';
import { codesOf, messagesOf } from '../../../test/support/callers.js';
import { cardBody, VALID_CARD_NUMBER, wholesaleBody } from '../../../test/support/purchase-bodies.js';
import { everythingStored } from '../../../test/support/postgres/table-state.js';
import { Sealer } from '#base/sealing';
import { loadLedgerProof } from '#upkeep/ledger-proof';
import { verify } from '#upkeep/verify';

/** Texts that only this test writes: one for each field that takes any text. */
const MARKS = {
  market: 'marked-by-the-market',
  change: 'marked note of a status',
  fulfillment: 'marked note of a parcel',
  correction: 'marked note of a correction',
  desk: 'marked note of the desk',
};

const SHIPPED = { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z1' } };
const CORRECTED = { type: 'ship', data: { carrier: 'UPS', tracking_number: '1Z2' } };

let api: TestApi;
let refs = 0;

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 1_000 });
});
afterAll(() => api.close());

const marked = (body: object) =>
  broken(body, { ref_id: `free-${(refs += 1)}`, market_specific_fields: { gift_for: MARKS.market } });
const bare = () =>
  broken(wholesaleBody(), { ref_id: `free-${(refs += 1)}`, user: undefined, market_specific_fields: undefined });
const marksIn = (text: string) => Object.values(MARKS).filter((mark) => text.includes(mark));
const erase = (id: string) => api.staff.send('DELETE', `orders/${id}/personal-data`);
const statusNote = (id: string, note: string, code = 4006) =>
  api.staff.send('POST', `orders/${id}/status`, { status_code: code, note });

/** An order with a mark in each field. */
async function markedOrder(platform = api.payment, body: object = cardBody()): Promise<string> {
  const id = await platform.bought(marked(body));
  const answers = [
    await statusNote(id, MARKS.change),
    await api.staff.send('POST', `orders/${id}/fulfillment`, { ...SHIPPED, note: MARKS.fulfillment }),
    await api.staff.send('POST', `orders/${id}/fulfillment`, { ...CORRECTED, note: MARKS.correction }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const added = await api.staff.send('POST', `orders/${id}/notes`, { text: MARKS.desk, visibility: 'internal' });
  expect(added.status).toBe(201);
  return id;
}

/** The marks in each answer that tells about the order. */
async function shown(id: string, platform = api.payment): Promise<Record<string, string[]>> {
  const answers = {
    purchase: await platform.read(id),
    detail: await api.staff.get(`orders/${id}`),
    past: await api.staff.get(`orders/${id}?version=6`),
    list: await api.staff.get('orders?limit=200'),
    timeline: await api.staff.get(`orders/${id}/timeline?limit=100`),
    notes: await api.staff.get(`orders/${id}/notes`),
    events: await api.staff.get(`orders/${id}/events`),
  };
  for (const { status } of Object.values(answers)) expect(status).toBe(200);
  return Object.fromEntries(Object.entries(answers).map(([name, { text }]) => [name, marksIn(text)]));
}

describe('what people write into free fields', () => {
  it('is shown where it was shown, and stored where nobody can read it, until it is erased', async () => {
    const id = await markedOrder();
    const { market, change, fulfillment, correction, desk } = MARKS;
    expect(await shown(id)).toEqual({
      purchase: [market],
      detail: [market, change, fulfillment, correction],
      past: [market, change, fulfillment],
      list: [market],
      timeline: [change, fulfillment, correction, desk],
      notes: [desk],
      events: [],
    });
    expect(marksIn(await everythingStored(api.pool))).toEqual([]);
    expect((await erase(id)).status).toBe(200);
    const nothing = { purchase: [], detail: [], past: [], list: [], timeline: [], notes: [], events: [] };
    expect(await shown(id)).toEqual(nothing);
    expect((await api.staff.get(`orders/${id}`)).body).toMatchObject({
      personal_data: 'erased',
      status_history: [{ note: null }, { note: null }, { note: null }, { note: null }],
    });
  });

  it('is given back by POST and by GET alike, also in a wholesale purchase', async () => {
    for (const [platform, body] of [
      [api.payment, cardBody()],
      [api.wholesale, wholesaleBody()],
    ] as const) {
      const bought = await platform.buy(marked(body));
      const { id, market_specific_fields: fields } = bought.body as { id: string; market_specific_fields: unknown };
      expect(fields).toEqual({ gift_for: MARKS.market });
      expect((await platform.read(id)).text).toBe(bought.text);
    }
  });

  it('can be erased from an order without a buyer, and again after a later note', async () => {
    const id = await api.wholesale.bought(bare());
    expect(codesOf(await erase(id))).toEqual([40400]);
    await statusNote(id, MARKS.change);
    expect(marksIn((await api.staff.get(`orders/${id}`)).text)).toEqual([MARKS.change]);
    expect((await erase(id)).status).toBe(200);
    expect(marksIn((await api.staff.get(`orders/${id}`)).text)).toEqual([]);
    await statusNote(id, MARKS.fulfillment, 2000);
    expect(marksIn((await api.staff.get(`orders/${id}`)).text)).toEqual([MARKS.fulfillment]);
    expect((await erase(id)).status).toBe(200);
    expect(marksIn((await api.staff.get(`orders/${id}`)).text)).toEqual([]);
    expect(marksIn(await everythingStored(api.pool))).toEqual([]);
  });

  it('is never sealed with a key that an erasure deletes at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await markedOrder(api.wholesale, wholesaleBody());
      const [noted] = await Promise.all([statusNote(id, 'written meanwhile'), erase(id)]);
      expect(noted.status).toBe(200);
      const { body } = await api.staff.get(`orders/${id}`);
      const { rows } = await api.pool.query<{ type: string }>(
        'select type from events where stream = $1 order by position desc limit 1',
        [`order-${id}`],
      );
      const { note } = (body as { status_history: { note: string | null }[] }).status_history.at(-1) ?? {};
      expect(note).toBe(rows[0]?.type === 'PersonalDataErased' ? null : 'written meanwhile');
    }
  });

  it('leaves log, tables and keys in agreement', async () => {
    const { keys } = await loadLedgerProof(api.pool, api.app.get(Sealer), []);
    const { differences } = await verify(api.pool, { keys });
    expect([...differences]).toEqual([]);
  });

  it('of versions before is still shown, and erased from the tables', async () => {
    const id = await api.payment.bought(broken(cardBody(), { ref_id: 'old', market_specific_fields: undefined }));
    await api.staff.changeStatus(id, 4006);
    await rewriteAsBefore(id);
    const { body } = await api.staff.get(`orders/${id}`);
    expect(body).toMatchObject({ market_specific_fields: { gift_for: MARKS.market } });
    expect(body).toMatchObject({ status_history: [{ note: null }, { note: MARKS.change }] });
    expect((await api.payment.read(id)).body).toMatchObject({ market_specific_fields: { gift_for: MARKS.market } });
    await erase(id);
    // The log keeps what earlier versions wrote. The list has other orders of this test too.
    const { events: _, list: __, ...answers } = await shown(id);
    expect(Object.values(answers).flat()).toEqual([]);
    const { rows } = await api.pool.query(
      `select row_to_json(o)::text || (select json_agg(h)::text from status_history h where h.order_id = o.id) as stored
       from orders o where id = $1`,
      [id],
    );
    expect(marksIn(JSON.stringify(rows))).toEqual([]);
  });

  /** As the version before wrote them: in clear. */
  async function rewriteAsBefore(id: string): Promise<void> {
    const fields = JSON.stringify({ market_specific_fields: { gift_for: MARKS.market } });
    await api.pool.query(
      `begin; alter table events disable trigger all;
       update events set data = (data::jsonb || '${fields}')::json where stream = 'order-${id}' and position = 1;
       update events set data = (data::jsonb || '{"note": "${MARKS.change}"}')::json
         where stream = 'order-${id}' and type = 'OrderExceptionRaised';
       alter table events enable trigger all;
       update orders set purchase = (purchase::jsonb || '${fields}')::json where id = '${id}';
       update status_history set note = '${MARKS.change}' where order_id = '${id}' and status_code = 4006; commit`,
    );
  }
});

describe('answers of webhook receivers', () => {
  it('are erased with the order that they are about, and no others', async () => {
    const [id, other] = [await api.payment.bought(marked(cardBody())), await api.payment.bought(marked(cardBody()))];
    await api.pool.query(
      `insert into webhooks (id, url, rate_per_second, from_position, position, created_at, updated_at)
       values ('whk_1', 'https://a.example', 10, 0, 0, now(), now())`,
    );
    for (const [position, order] of [
      [900_001, id],
      [900_002, other],
    ] as const) {
      await api.pool.query(
        `insert into ping_stream select $1, $2 || '-p', $2, 77, null, 'confirmed', 2000, 'Confirmed', now(), 't', 'e', 'l', 'c'`,
        [position, order],
      );
      await api.pool.query(
        `insert into webhook_attempts values ('whk_1', $1, 1, 'https://a.example', now(), 5, 200, null, 'thanks, Ada')`,
        [position],
      );
    }
    await erase(id);
    const { rows } = await api.pool.query('select position::int, answer from webhook_attempts order by 1');
    expect(rows).toEqual([
      { position: 900_001, answer: null },
      { position: 900_002, answer: 'thanks, Ada' },
    ]);
  });
});

describe('card numbers in free fields', () => {
  const typed = VALID_CARD_NUMBER.replace(/(\d{4})(?=\d)/g, '$1 ');

  it('are masked before anything is stored', async () => {
    const fields = { comment: `my card is ${typed}`, pan: Number(VALID_CARD_NUMBER), cvv: '987' };
    const bought = await api.payment.buy(broken(cardBody(), { ref_id: 'masked', market_specific_fields: fields }));
    const { id } = bought.body as { id: string };
    const expected = { comment: 'my card is **** **** **** 1111', pan: '************1111', cvv: '***' };
    expect(bought.body).toMatchObject({ market_specific_fields: expected });
    expect((await api.payment.read(id)).text).toBe(bought.text);
    const { body } = await statusNote(id, `call about ${typed}`);
    expect(JSON.stringify(body)).toContain('call about **** **** **** 1111');
    await api.staff.send('POST', `orders/${id}/notes`, { text: typed, visibility: 'internal' });
    expect((await api.staff.get(`orders/${id}/notes`)).text).toContain('**** **** **** 1111');
    expect((await api.staff.get(`orders/${id}`)).body).toMatchObject({ card_data_in_ref_id: false });
  });

  it('are kept in a ref_id, which gets a mark and a warning without its value', async () => {
    const id = await api.payment.bought(broken(cardBody(), { ref_id: VALID_CARD_NUMBER }));
    expect((await api.payment.read(id)).body).toMatchObject({ ref_id: VALID_CARD_NUMBER });
    expect((await api.staff.get(`orders/${id}`)).body).toMatchObject({
      ref_id: VALID_CARD_NUMBER,
      card_data_in_ref_id: true,
    });
    const [warning, ...others] = api.log.filter((line) => line.includes('looks like a card number'));
    expect(others).toEqual([]);
    expect(JSON.parse(warning ?? '')).toMatchObject({ level: 'warn', order_id: id, client_id: 'pay-1' });
    expect(api.log.join('\n')).not.toContain(VALID_CARD_NUMBER);
  });

  it('are refused or kept if the settings say so', async () => {
    const settings = api.app.get(Settings);
    const before = settings.CARD_DATA_IN_FREE_FIELDS;
    const use = (mode: string) =>
      Object.assign(settings, {
        CARD_DATA_IN_FREE_FIELDS: parseSettings({ CARD_DATA_IN_FREE_FIELDS: mode }).CARD_DATA_IN_FREE_FIELDS,
      });
    const body = (ref: string) => broken(cardBody(), { ref_id: ref, market_specific_fields: { comment: typed } });
    try {
      use('refuse');
      const stock = await api.staff.available('lst-1');
      const refused = await api.payment.buy(body('refused'));
      expect([refused.status, codesOf(refused)]).toEqual([400, [40001]]);
      expect(messagesOf(refused)[0]).toContain('market_specific_fields');
      expect(await api.staff.available('lst-1')).toBe(stock);
      const id = await api.payment.bought(broken(cardBody(), { ref_id: 'allowed' }));
      const noted = await statusNote(id, typed);
      expect([noted.status, codesOf(noted)]).toEqual([400, [40001]]);
      expect(messagesOf(noted)[0]).toContain('note');
      expect((await api.staff.send('POST', `orders/${id}/notes`, { text: typed, visibility: 'internal' })).status).toBe(
        400,
      );
      use('keep');
      const kept = await api.payment.buy(body('kept'));
      expect(kept.body).toMatchObject({ market_specific_fields: { comment: typed } });
    } finally {
      use(before);
    }
    expect(await everythingStored(api.pool)).not.toContain(typed);
  });
});
