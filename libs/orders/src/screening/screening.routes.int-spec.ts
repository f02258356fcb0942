import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrderEvents } from '../order.contract.js';
import { ScreeningDryRun } from '../screening.contract.js';
import { SeededRandomness } from '#base/seeded-randomness';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken, type Json } from '../../../../test/support/broken.js';
import { codesOf } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';
import { cardBody, wholesaleBody } from '../../../../test/support/purchase-bodies.js';

const CARDS = ['4111111111111111', '5555555555554444', '378282246310005'];
const random = new SeededRandomness(20_261_123);

let api: TestApi;
let placed = 0;
beforeAll(async () => {
  api = await startTestApi();
  // Otherwise the first rule about distances loads all postal codes, which takes seconds.
  await api.pool.query(`insert into discovery_postal_codes (country, code, city, state, lat, lon, imported) values
    ('US', '10001', 'New York', 'NY', 40.75, -73.99, false), ('US', '12207', 'Albany', 'NY', 42.66, -73.75, false)`);
  await api.staff.putListing('lst-1', { quantity: 10_000, seller: 'Front Row' });
  await api.staff.putListing('manual', { quantity: 10_000, confirmation: 'manual', confirm_within_minutes: 60 });
});
afterAll(() => api.close());

type Rule = Readonly<{ name: string; where: object; score?: number; enabled?: boolean }>;

async function putRules(...rules: readonly Rule[]): Promise<{ id: string }[]> {
  const answer = await api.staff.send('PUT', 'fraud-rules', { rules });
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as { rules: { id: string }[] }).rules;
}

async function putPolicies(...policies: readonly object[]): Promise<void> {
  const answer = await api.staff.send('PUT', 'policies', { policies });
  expect(answer.status, answer.text).toBe(200);
}

const where = (field: string, op: string, value: unknown) => ({ field, op, value });

/** A purchase of another buyer than any before, unless the change says who. */
function card(change: Json = {}): unknown {
  placed += 1;
  return broken(cardBody(), {
    ref_id: `ref-${placed}`,
    'user.email': `buyer${placed}@example.com`,
    'payment.data.address1': `${placed} Main Street`,
    'delivery_method.data.address1': `${placed} Side Street`,
    ...change,
  });
}

function wholesale(change: Json = {}): unknown {
  placed += 1;
  return broken(wholesaleBody(), { ref_id: `ref-${placed}`, 'user.email': `buyer${placed}@example.com`, ...change });
}

async function eventsOf(id: string): Promise<OrderEvents['events']> {
  return OrderEvents.parse((await api.staff.get(`orders/${id}/events`)).body).events;
}

async function statusesOf(id: string): Promise<number[]> {
  const { body } = await api.staff.get(`orders/${id}`);
  return (body as { status_history: { status_code: number }[] }).status_history.map(({ status_code: code }) => code);
}

async function verdictOf(id: string): Promise<{ verdict: string; rules: { name: string }[]; facts: Json } | undefined> {
  return (await eventsOf(id)).find(({ type }) => type === 'FraudScreened')?.data as never;
}

async function dryRun(kind: 'policies' | 'fraud-rules', body: object): Promise<ScreeningDryRun> {
  const answer = await api.staff.send('POST', `${kind}/dry-run`, body);
  expect(answer.status, answer.text).toBe(200);
  return ScreeningDryRun.parse(answer.body);
}

describe('fraud rules', () => {
  it('hold the third order of an e-mail address before a broker sees it, with the facts in the log', async () => {
    const [rule] = await putRules({ name: 'Fast', where: where('email_orders_24h', '>=', 3) });
    const same = { 'user.email': 'Fast.Buyer@example.com' };
    const ids = [await api.payment.bought(card(same)), await api.wholesale.bought(wholesale(same))];
    ids.push(await api.payment.bought(card({ ...same, 'product.listing_id': 'manual' })));
    expect(await Promise.all(ids.map(statusesOf))).toEqual([[2000], [2000], [1002]]);
    const [event] = (await eventsOf(ids[2]!)).filter(({ type }) => type === 'FraudScreened');
    expect(event).toMatchObject({ position: 2 });
    expect(event?.data).toEqual({
      verdict: 'held',
      score: 100,
      rules: [{ id: rule?.id, name: 'Fast', score: 100 }],
      facts: { email_orders_24h: 3 },
    });
    expect(await verdictOf(ids[0]!)).toEqual({
      verdict: 'passed',
      score: 0,
      rules: [],
      facts: { email_orders_24h: 1 },
    });
    const titles = ((await api.staff.get(`orders/${ids[2]}/timeline`)).body as { entries: { title: string }[] })
      .entries;
    expect(titles.map(({ title }) => title)).toContain('Fraud rules hold the order: “Fast”');
  });

  it('keep what their conditions read, but nothing of the buyer', async () => {
    const email = { field: 'email', op: '=', value: 'known@example.com' };
    const condition = {
      and: [where('total', '>', 1), where('variant', '=', 'payment'), { not: where('tag', '=', 'x') }],
    };
    await putRules(
      { name: 'Price', where: condition },
      { name: 'Other', where: { or: [email, where('seller', 'is_null', false), where('first_order', '=', false)] } },
    );
    const id = await api.payment.bought(card({ 'user.email': 'known@example.com' }));
    const total = ((await api.staff.get(`orders/${id}`)).body as { total: number }).total;
    expect(await verdictOf(id)).toMatchObject({
      verdict: 'held',
      facts: { total, variant: 'payment', tag: [], seller: 'Front Row', first_order: true },
    });
    expect(Object.keys((await verdictOf(id))?.facts ?? {})).not.toContain('email');
    await putRules();
  });

  it('keep an order from its broker until the review is over', async () => {
    const { send: broker } = await signIn(api, ['broker'], ['Front Row']);
    await putRules({ name: 'All', where: where('quantity', '>', 0) });
    const id = await api.payment.bought(card());
    await putRules();
    const found = async () => {
      const [listed, searched] = [await broker('GET', 'orders'), await broker('POST', 'orders/search', {})];
      const seen = [listed, searched].map(({ text }) => text.includes(id));
      return [
        (await broker('GET', `orders/${id}`)).status,
        (await broker('POST', `orders/${id}/accept`)).status,
        ...seen,
      ];
    };
    expect(await found()).toEqual([404, 404, false, false]);
    expect((await api.staff.send('POST', `orders/${id}/accept`)).status).toBe(200);
    expect(await found()).toEqual([200, 200, true, true]);
  });

  it('let trusted users pass, but count what they bought', async () => {
    await putRules({ name: 'Same house', where: where('address_orders_24h', '>=', 2) });
    const house = { 'delivery_method.data.address1': '7 Count Lane', 'delivery_method.data.address2': 'Apt 1' };
    const trusted = { ...house, is_trusted_user: true };
    const ids = [await api.payment.bought(card(trusted)), await api.payment.bought(card(trusted))];
    ids.push(await api.payment.bought(card({ ...house, 'delivery_method.data.address2': 'Apt 9' })));
    expect(await Promise.all(ids.map(statusesOf))).toEqual([[2000], [2000], [1002]]);
    expect(await verdictOf(ids[1]!)).toBeUndefined();
    expect(await verdictOf(ids[2]!)).toMatchObject({ facts: { address_orders_24h: 3 } });
  });

  it('count cards and tokens by a digest, places by their distance, and know throw-away addresses', async () => {
    const fields = ['card_orders_24h', 'distance_km'].map((field) => where(field, '>=', 0));
    const yes = ['first_order', 'disposable_email'].map((field) => where(field, '=', true));
    await putRules({ name: 'All facts', score: 1, where: { or: [...fields, ...yes] } });
    // The billing address is in New York, the delivery goes to Albany, and the buyer is in Los Angeles.
    const far = { 'user.email': 'x@mail.Mailinator.com', 'user.location': { lat: 34.05, lon: -118.24 } };
    const number = { 'payment.data.card_number': '6011000990139424' };
    const first = await api.payment.bought(card({ ...far, ...number }));
    const again = await api.payment.bought(card({ 'user.email': 'x@mail.Mailinator.com', ...number }));
    const facts = {
      card_orders_24h: 1,
      disposable_email: true,
      first_order: true,
      distance_km: expect.closeTo(3_947, -1) as number,
    };
    expect(await verdictOf(first)).toMatchObject({ verdict: 'passed', score: 1, facts });
    expect(await verdictOf(again)).toMatchObject({
      facts: { ...facts, card_orders_24h: 2, first_order: false, distance_km: expect.closeTo(218, -1) as number },
    });
    const nobody = await api.wholesale.bought(wholesale({ user: undefined }));
    const unknown = { card_orders_24h: null, disposable_email: false, first_order: true, distance_km: null };
    expect(await verdictOf(nobody)).toMatchObject({ facts: unknown });
  });

  it('hold together what no rule holds alone', async () => {
    const two = where('quantity', '=', 2);
    await putRules({ name: 'a', score: 60, where: two }, { name: 'b', score: 40, where: two });
    expect(await statusesOf(await api.payment.bought(card()))).toEqual([1002]);
    await putRules({ name: 'a', score: 60, where: two }, { name: 'b', score: 40, where: two, enabled: false });
    expect(await statusesOf(await api.payment.bought(card()))).toEqual([2000]);
  });

  it('would have held what they then held: a dry run of each rule equals the log', async () => {
    const rules = [
      { name: 'email', where: where('email_orders_24h', '>', 2) },
      { name: 'address', where: where('address_orders_24h', '>', 3) },
      { name: 'card', where: where('card_orders_24h', '>', 4) },
      { name: 'far', where: where('distance_km', '>', 500) },
      { name: 'unknown', where: where('distance_km', 'is_null', true) },
      { name: 'disposable', where: where('disposable_email', '=', true) },
      { name: 'first', where: { and: [where('first_order', '=', true), where('total', '>', 200)] } },
      { name: 'buyer', where: where('email', 'in', ['two@example.com', 'x@yopmail.com']) },
      { name: 'not', where: { not: { or: [where('variant', '=', 'payment'), where('seller', 'is_null', true)] } } },
    ];
    await putRules(...rules);
    const from = new Date().toISOString();
    const ids: string[] = [];
    for (let index = 0; index < 30; index += 1) {
      const email = random.pick(['one@example.com', 'two@example.com', 'x@yopmail.com', `new${index}@example.com`]);
      const common = { 'user.email': email, is_trusted_user: random.fraction() < 0.2 };
      if (random.fraction() < 0.3) {
        ids.push(await api.wholesale.bought(wholesale(common)));
        continue;
      }
      const place = random.pick([
        { lat: 40.7, lon: -74 },
        { lat: 34.05, lon: -118.24 },
      ]);
      const paid = { 'user.location': place, 'delivery_method.data.address1': random.pick(['1 A St', '2 B St']) };
      const number = { 'payment.data.card_number': random.pick(CARDS), 'payment.data.cvv': '1234' };
      const isAmex = number['payment.data.card_number'] === CARDS[2];
      ids.push(
        await api.payment.bought(card({ ...common, ...paid, ...number, 'payment.data.cvv': isAmex ? '1234' : '123' })),
      );
    }
    const verdicts = await Promise.all(ids.map(verdictOf));
    for (const rule of rules) {
      const fired = verdicts.filter((verdict) => verdict?.rules.some(({ name }) => name === rule.name)).length;
      expect(fired, `${rule.name} tells purchases apart`).toBeGreaterThan(0);
      expect((await dryRun('fraud-rules', { rule, from })).orders, rule.name).toBe(fired);
    }
    const held = verdicts.filter((verdict) => verdict?.verdict === 'held').length;
    expect((await dryRun('fraud-rules', { rules, from })).orders).toBe(held);
  });

  it('name no buyer in the log, and keep conditions sealed', async () => {
    await putRules({ name: 'Known', where: where('email', '=', 'secret.buyer@example.com') });
    const id = await api.payment.bought(card({ 'user.email': 'secret.buyer@example.com' }));
    expect(await statusesOf(id)).toEqual([1002]);
    const { rows } = await api.pool.query<{ text: string }>(
      `select data::text as text from events where stream = $1
       union all select encode(sealed, 'escape') from screening_rules
       union all select row_to_json(a)::text from audit_log a`,
      [`order-${id}`],
    );
    const all = rows.map(({ text }) => text).join('\n');
    expect(all).not.toMatch(/secret\.buyer/i);
    expect(all).not.toContain('4111111111111111');
  });

  it('cost a purchase nothing when none is enabled', async () => {
    await putRules({ name: 'Off', where: where('email_orders_24h', '>=', 1), enabled: false });
    const id = await api.payment.bought(card());
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual([
      'PurchaseReceived',
      'PaymentPrepared',
      'PaymentAuthorised',
      'OrderConfirmed',
    ]);
    const kept = 'select address_digest, card_digest from personal_data_keys where order_id = $1';
    expect((await api.pool.query(kept, [id])).rows).toEqual([{ address_digest: null, card_digest: null }]);
  });
});

describe('policies', () => {
  const small = { name: 'Small', action: 'accept', where: where('quantity', '=', 1) };
  const manual = { 'product.listing_id': 'manual' };
  const one = { ...manual, 'product.quantity': 1, 'product.total': 90.01 };

  const stock = async () => {
    const { rows } = await api.pool.query<{ available: number }>(`select available from listings where id = 'manual'`);
    return rows[0]?.available ?? 0;
  };

  it('accept or deny by themselves, first one first, and are recorded as such', async () => {
    await putRules();
    const deny = { name: 'Large', action: 'deny', reason: 'price_error', where: where('quantity', '>', 1) };
    await putPolicies({ ...deny, enabled: false }, small, deny, { ...small, action: 'deny', name: 'Too late' });
    const before = await stock();
    const [accepted, denied] = [await api.wholesale.bought(wholesale(one)), await api.payment.bought(card(manual))];
    expect([await statusesOf(accepted), await statusesOf(denied)]).toEqual([
      [1001, 2000],
      [1001, 3004],
    ]);
    const { body } = await api.staff.get(`orders/${accepted}`);
    expect((body as { status_history: object[] }).status_history[1]).toMatchObject({
      actor: 'system:policy',
      note: 'Policy: Small',
    });
    const last = (await eventsOf(denied)).at(-1);
    expect(last?.data).toMatchObject({ policy: { name: 'Large' }, reason: 'price_error' });
    const pings = await api.staff.get(`pings?order_id=${accepted}`);
    expect((pings.body as { pings: object[] }).pings).toHaveLength(2);
    // The tickets of the denied order are for sale again.
    expect(await stock()).toBe(before - 1);
  });

  it('do not touch orders that wait for nobody, or for a review', async () => {
    await putPolicies({ ...small, where: where('quantity', '>', 0) });
    expect(await statusesOf(await api.payment.bought(card()))).toEqual([2000]);
    await putRules({ name: 'All', where: where('quantity', '>', 0) });
    expect(await statusesOf(await api.payment.bought(card(manual)))).toEqual([1002]);
    await putRules();
  });

  it('would have answered what they then answer', async () => {
    await putPolicies();
    const condition = {
      or: [
        {
          and: [
            where('status_code', '=', 1001),
            where('queue', '=', 'to_confirm'),
            where('email', '=', 'pol1@example.com'),
          ],
        },
        {
          and: [
            where('variant', '=', 'wholesale'),
            { not: where('due_at', 'is_null', true) },
            where('quantity', '=', 1),
          ],
        },
      ],
    };
    const policy = { name: 'Both', action: 'accept', where: condition };
    const buyAll = async () => {
      const ids: string[] = [];
      for (let index = 0; index < 8; index += 1) {
        const email = { 'user.email': `pol${index % 3}@example.com` };
        const isPaid = index % 2 === 0;
        const listing = index === 3 ? { 'product.listing_id': 'lst-1' } : manual;
        ids.push(
          await (isPaid
            ? api.payment.bought(card({ ...listing, ...email }))
            : api.wholesale.bought(wholesale({ ...one, ...email, ...listing }))),
        );
      }
      return ids;
    };
    const from = new Date().toISOString();
    const before = await buyAll();
    // What has become of the orders since does not count.
    for (const id of before.slice(0, 4)) await api.staff.send('PUT', `orders/${id}/tags`, ['seen']);
    await api.staff.send('POST', `orders/${before[1]}/accept`, {});
    const { orders, sample } = await dryRun('policies', { policy, from, to: new Date(Date.now() + 1).toISOString() });
    await putPolicies(policy);
    const after = await buyAll();
    const accepted = (await Promise.all(after.map(statusesOf))).map((codes) => codes.join() === '1001,2000');
    expect(accepted.filter(Boolean)).toHaveLength(orders);
    expect(sample.map(({ id }) => before.indexOf(id)).toSorted((a, b) => a - b)).toEqual(
      accepted.flatMap((is, index) => (is ? [index] : [])),
    );
    expect(orders).toBeGreaterThan(1);
    await putPolicies();
  });

  it('of a list that is wrong are refused by the place of the fault, and nothing changes', async () => {
    await putPolicies(small);
    const bad = { ...small, where: { and: [where('quantity', '=', 1), where('email_orders_24h', '>', 1)] } };
    const answer = await api.staff.send('PUT', 'policies', { policies: [small, bad] });
    expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
    expect(answer.text).toContain('policies.1.where.and[1].field');
    for (const policies of [
      [{ ...small, reason: 'fraud' }],
      [
        { ...small, id: 'x' },
        { ...small, id: 'x' },
      ],
      [{ ...small, action: 'hold' }],
    ]) {
      expect((await api.staff.send('PUT', 'policies', { policies })).status).toBe(400);
    }
    expect((await api.staff.get('policies')).body).toMatchObject({ policies: [small] });
    await putPolicies();
  });

  it('that name a buyer are for those who may search for buyers', async () => {
    const { body } = await api.staff.send('POST', 'tokens', { name: 'runs', scopes: ['runs:act'] });
    const headers = {
      authorization: `Bearer ${(body as { token: string }).token}`,
      'content-type': 'application/json',
    };
    const call = async (method: string, sent?: object) => {
      const init = { method, headers, ...(sent && { body: JSON.stringify(sent) }) };
      return (await fetch(`${api.url}/backoffice/v1/policies`, init)).status;
    };
    const named = { ...small, where: where('email', '=', 'a@example.com') };
    expect(await call('PUT', { policies: [named] })).toBe(403);
    expect(await call('PUT', { policies: [small] })).toBe(200);
    await putPolicies(named);
    expect(await call('GET')).toBe(403);
    await putPolicies();
  });
});
