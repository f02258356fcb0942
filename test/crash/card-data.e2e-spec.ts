import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, codesOf, PAYMENT, Platform } from '../support/callers.js';
import { cardBody } from '../support/purchase-bodies.js';
import { redisAvailable } from '../support/redis.js';
import { untilSettled } from '../support/stand/settled.js';
import { Stand } from '../support/stand/stand.js';
import { storedTraces, unsearched } from '../support/stand/card-search.js';
import { cardTraces, cvvTraces } from '../support/stand/traces.js';
import { everythingStored } from '../support/postgres/table-state.js';
import { until } from '../support/until.js';

const CARDS = {
  accepted: { number: '374245455400126', cvv: '0379' },
  declined: { number: '4000000000000002', cvv: '071' },
  failing: { number: '4000000000000119', cvv: '072' },
  late: { number: '4000000000000341', cvv: '073' },
  mistyped: { number: '374245455400127', cvv: '0381' },
};
const LONG_CVV = '03790';
const SECRETS = [
  ...Object.values(CARDS).flatMap(({ number, cvv }) => [cardTraces(number), cvvTraces(cvv)]),
  cvvTraces(LONG_CVV),
];

let stand: Stand;

beforeAll(async () => {
  stand = await Stand.start({
    queues: redisAvailable ? 'redis' : 'postgres',
    apis: 2,
    settings: { LOG_LEVEL: 'trace' },
  });
  await stand.staff.putListing('lst-1', { quantity: 1_000 });
});

afterAll(() => stand.close());

let purchases = 0;

function purchase(
  card: { number: string; cvv: string },
  change: (body: ReturnType<typeof cardBody>) => void = () => undefined,
) {
  const body = cardBody();
  purchases += 1;
  body.ref_id = `marked-${purchases}`;
  body.payment.data = { ...body.payment.data, card_number: card.number, cvv: card.cvv };
  change(body);
  return body;
}

async function everyWayToPay(): Promise<void> {
  const { payment } = stand;
  const codes = async (answer: Promise<Answer>) => codesOf(await answer);
  const { accepted, declined, failing, mistyped } = CARDS;
  expect((await payment.buy(purchase(accepted))).status).toBe(201);
  expect(await codes(payment.buy(purchase(declined)))).toEqual([40016]);
  expect(await codes(payment.buy(purchase(failing)))).toEqual([50000]);
  expect(await codes(payment.buy(purchase(mistyped)))).toContain(40017);
  expect(await codes(payment.buy(purchase(accepted, (body) => (body.payment.total = 1))))).toEqual([40026]);
  expect(await codes(payment.buy(purchase(accepted, (body) => (body.product.listing_id = 'none'))))).toEqual([40012]);
  expect(await codes(payment.buy(purchase(accepted, (body) => (body.ref_id = 'marked-1'))))).toEqual([40030]);
  expect(await codes(payment.buy(purchase({ ...accepted, cvv: LONG_CVV })))).toEqual([40035]);
  await malformed();
}

/** Sends invalid bodies, bodies that are not JSON, and an unsigned one. */
async function malformed(): Promise<void> {
  const { payment } = stand;
  const sound = JSON.stringify(purchase(CARDS.accepted));
  const asNumber = sound.replace(`"${CARDS.accepted.number}"`, CARDS.accepted.number);
  const bodies = [sound.slice(0, -1), `${sound}}`, asNumber, `[${sound}]`, `"${CARDS.accepted.number}"`];
  for (const body of bodies) expect((await payment.buy(body)).status).toBe(400);
  expect((await payment.buy(`${sound}${' '.repeat(70_000)}`)).status).toBe(413);
  expect((await payment.buy(sound, { 'content-encoding': 'gzip' })).status).toBe(415);
  expect((await payment.buy(sound, { authorization: 'XX pay-1:AAAAAAAAAAAAAAAAAAAAAAAAAAA=' })).status).toBe(401);
}

/** Kills an api during a payment, and the database during card payments. */
async function crashes(): Promise<void> {
  const payer = new Platform(stand.api(1).url, PAYMENT);
  const late = payer.buy(purchase(CARDS.late)).catch(() => undefined);
  await until(async () => {
    const { rowCount } = await stand.pool.query(
      `select from sandbox_payments p join orders o on o.id = p.order_id where o.ref_id = $1`,
      [`marked-${purchases}`],
    );
    return rowCount === 1;
  });
  await stand.api(1).kill();
  await late;
  let waitForPurchases = true;
  const paying = [1, 2].map(async () => {
    while (waitForPurchases) await stand.payment.buy(purchase(CARDS.accepted)).catch(() => undefined);
  });
  await stand.parts.cluster?.kill();
  await until(async () => (await stand.payment.buy(purchase(CARDS.accepted))).status === 503);
  await stand.parts.cluster?.restart();
  await until(async () => (await stand.payment.buy(purchase(CARDS.accepted))).status === 201, { withinMs: 30_000 });
  waitForPurchases = false;
  await Promise.all(paying);
}

it('no log and no file of PostgreSQL or Redis contains a card number or a CVV', async () => {
  await everyWayToPay();
  await crashes();
  await untilSettled(stand);
  expect(await storedTraces(stand, SECRETS)).toEqual([]);
  // The search works: it finds what may be stored, in each of these places.
  expect(unsearched(stand, { name: 'an order', pattern: /ord_[0-9a-f]{32}/ })).toEqual([]);
  expect(/last_four\W+0126/.test(await everythingStored(stand.pool))).toBe(true);
});
