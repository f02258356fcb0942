import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sealer } from '#base/sealing';
import { KeyResealing } from '../key-resealing.js';
import { totpPlace } from '#accounts/totp';
import { adoptEncryptionKey, recordedFingerprints } from '#platform/encryption-key';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { loadLedgerProof } from '../ledger-proof.js';
import { verify } from '../verify.js';
import { secretContext } from '#outbound/endpoint';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import type { Answer } from '../../../../test/support/callers.js';
import { broken } from '../../../../test/support/broken.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { LogDouble } from '../../../../test/support/log-double.js';
import { cardBody } from '../../../../test/support/purchase-bodies.js';

const [before, after] = [randomBytes(32), randomBytes(32)];
const ORDERS = 16;

const randomness = new SystemRandomness();
const changing = new Sealer(after, randomness, [before]);

let database: TestDatabase;
let refs = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** An api with these keys, the first of which seals. The database outlives it. */
function apiWith(...[key, ...previous]: readonly Buffer[]): Promise<TestApi> {
  const keys = {
    ENCRYPTION_KEY: key?.toString('base64'),
    ENCRYPTION_KEY_PREVIOUS: previous.map((one) => one.toString('base64')).join(','),
  };
  return startTestApi(keys, { ...database, drop: async () => undefined });
}

/** An order with everything that is sealed: buyer, market's fields, a note of a change and one beside it. */
async function order(api: TestApi): Promise<string> {
  const ref = `ref-${(refs += 1)}`;
  const body = { ref_id: ref, 'user.email': `${ref}@example.com`, market_specific_fields: { of: ref } };
  const id = await api.payment.bought(broken(cardBody(), body));
  const noted = await api.staff.send('POST', `orders/${id}/status`, { status_code: 4006, note: `note ${ref}` });
  await api.staff.send('POST', `orders/${id}/notes`, { text: `desk ${ref}`, visibility: 'internal' });
  expect(noted.status).toBe(200);
  return id;
}

/** Throws if anything of the order cannot be read, or its buyer does not find it. */
async function read(api: TestApi, id: string): Promise<void> {
  const [detail, purchase, notes] = [
    await api.staff.get(`orders/${id}`),
    await api.payment.read(id),
    await api.staff.get(`orders/${id}/notes`),
  ];
  const { ref_id: ref } = detail.body as { ref_id: string };
  expect(detail.body).toMatchObject({
    personal_data: 'kept',
    market_specific_fields: { of: ref },
    status_history: [{ note: null }, { note: `note ${ref}` }],
  });
  expect(purchase.body).toMatchObject({
    delivery_method: { data: { city: 'Albany' } },
    market_specific_fields: { of: ref },
  });
  expect(notes.text).toContain(`desk ${ref}`);
  const emailOf = (answer: Answer) => (answer.body as { buyer: { email: string } }).buyer.email;
  const found = await api.staff.get(`orders?q=${encodeURIComponent(emailOf(detail))}`);
  const ids = (found.body as { orders: { id: string }[] }).orders.map((one) => one.id);
  // Somebody else may have corrected the address in between.
  const isCorrected = async () => emailOf(await api.staff.get(`orders/${id}`)) !== emailOf(detail);
  if (ids.length === 0 && (await isCorrected())) return;
  expect(ids).toEqual([id]);
}

const correct = (api: TestApi, id: string, email: string) => api.staff.send('PATCH', `orders/${id}/buyer`, { email });

describe('ENCRYPTION_KEY', () => {
  it('changes while orders are bought, corrected and read, and nothing is unreadable at any moment', async () => {
    const first = await apiWith(before);
    await first.staff.putListing('lst-1', { quantity: 10_000 });
    const old = await inTurn(Array.from({ length: ORDERS }), () => order(first));
    const secret = new Sealer(before, randomness).seal(
      'webhook-secret',
      secretContext('whk_1', 'wsk_1'),
      Buffer.from('s'),
    );
    await first.pool.query(
      `insert into webhooks (id, url, rate_per_second, from_position, position, created_at, updated_at)
       values ('whk_1', 'https://a.example', 10, 0, 0, now(), now())`,
    );
    await first.pool.query(`insert into webhook_secrets values ('wsk_1', 'whk_1', $1, now())`, [secret]);
    await first.staff.send('POST', 'macros', { name: 'mine', steps: [{ type: 'snooze', minutes: 60 }] });
    await first.staff.send('POST', 'views', { name: 'mine', where: { field: 'status', op: '=', value: 'pending' } });
    const policies = [{ name: 'mine', action: 'accept', where: { field: 'total', op: '<', value: 1 } }];
    await first.staff.send('PUT', 'policies', { policies });
    const totp = new Sealer(before, randomness).seal(
      'totp-secret',
      totpPlace('opr_1'),
      Buffer.from('12345678901234567890'),
    );
    await first.pool.query(
      `insert into operators (id, email, name, roles, state, totp_secret, created_at) values ('opr_1', 'a@b.c', 'A', '{viewer}', 'active', $1, now())`,
      [totp],
    );
    await first.close();

    // First every process learns the next key, then one after the other seals with it.
    const [prepared, changed] = [await apiWith(before, after), await apiWith(after, before)];
    const clock = new FixedClock();
    const resealing = new KeyResealing(changed.app.get(Pool), new TimeOrderedIds(), clock, changing, log());
    let isOver = false;
    const meanwhile: string[] = [];
    const write = async (api: TestApi, name: string, mine: readonly string[]) => {
      for (let round = 0; !isOver || round < 3; round += 1) {
        const id = await order(api);
        meanwhile.push(id);
        const one = mine[round % mine.length]!;
        expect((await correct(api, one, `${name}-${round}@example.com`)).status).toBe(200);
        await read(api, one);
        await read(api, id);
      }
    };
    const look = async (api: TestApi) => {
      do for (const id of [...old, ...meanwhile.slice(-5)]) await read(api, id);
      while (!isOver);
    };
    const reseal = async () => {
      expect(await resealing.remaining()).toBeGreaterThan(ORDERS);
      for (let pass = 0; pass < 3; pass += 1) await resealing.step();
      isOver = true;
    };
    await Promise.all([
      reseal(),
      write(prepared, 'prepared', old.slice(ORDERS / 2)),
      write(changed, 'changed', old.slice(0, ORDERS / 2)),
      look(prepared),
      look(changed),
    ]);

    // What the last process with the earlier key has sealed meanwhile.
    await prepared.close();
    await resealing.step();
    expect(await resealing.remaining()).toBe(0);
    await resealing.step();
    expect(await recordedFingerprints(changed.pool)).toHaveLength(2);
    clock.advance(60_000);
    await changed.pool.query(`update encryption_keys set used_at = used_at - interval '6 minutes'`);
    await resealing.step();
    expect(await recordedFingerprints(changed.pool)).toEqual([changing.fingerprint]);
    const { body } = await changed.staff.get('maintenance-runs?kind=reseal');
    const [run] = (body as { runs: { state: string; checked: object; found: object }[] }).runs.toReversed();
    expect(run).toMatchObject({
      state: 'done',
      found: {},
      checked: { webhook_secrets: 1, operators: 1, saved_views: 1, macros: 1, screening_rules: 1 },
    });
    const alone = new Sealer(after, randomness);
    const { keys } = await loadLedgerProof(changed.pool, alone, []);
    expect(await verify(changed.pool, { keys })).toMatchObject({ differences: [] });
    await changed.close();

    const last = await apiWith(after);
    expect((await last.staff.get('macros')).body).toMatchObject({ macros: [{ name: 'mine' }] });
    expect((await last.staff.get('policies')).body).toMatchObject({ policies: [{ name: 'mine' }] });
    for (const id of [...old, ...meanwhile]) await read(last, id);
    await last.close();
    await expect(apiWith(before)).rejects.toThrow(/ENCRYPTION_KEY \(fingerprint \w+\) is not the key/);
  }, 180_000);

  it('leaves alone what no key opens, and says so', async () => {
    const api = await startTestApi({ ENCRYPTION_KEY: before.toString('base64') });
    const damage =
      'update client_secrets set secret = set_byte(secret, 20, 255 - get_byte(secret, 20)) where client_id = $1';
    await api.pool.query(damage, ['wh-1']);
    const pool = api.app.get(Pool);
    await adoptEncryptionKey(pool, changing);
    const resealing = new KeyResealing(pool, new TimeOrderedIds(), new FixedClock(), changing, log());
    for (const _ of ['seals', 'has nothing to do']) await resealing.step();
    expect(await resealing.remaining()).toBe(1);
    const { rows } = await api.pool.query(
      `select result -> 'found' as found from maintenance_runs where kind = 'reseal'`,
    );
    expect(rows).toEqual([{ found: { client_secrets: 1 } }]);
    await api.close();
  });
});

const log = () => Object.assign(new LogDouble(), { info: () => undefined, debug: () => undefined });

async function inTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of all) results.push(await work(one));
  return results;
}
