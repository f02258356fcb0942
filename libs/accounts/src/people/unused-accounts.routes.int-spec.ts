import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditPage } from '../audit.contract.js';
import type { Operator, OperatorList, Session } from '../operator.contract.js';
import { UnusedAccounts } from './unused-accounts.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { PASSWORD, type Person, signInOf } from '../../../../test/support/sign-in.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ TRUST_PROXY: '127.0.0.1', UNUSED_ACCOUNT_DAYS: '30' });
});
afterAll(() => api.close());

const { person, session } = signInOf(() => api);
const disableUnused = () => api.app.get(UnusedAccounts).disable();
const read = async ({ id }: Person) => (await api.staff.get(`operators/${id}`)).body as Operator;
const signIn = ({ email, from }: Person) => session('POST', { email, password: PASSWORD }, from);

/** As if everything that the people did was so long ago. */
const age = (days: number) =>
  api.pool.query(
    `update operators set created_at = created_at - $1::interval, last_sign_in_at = last_sign_in_at - $1::interval,
       enabled_at = enabled_at - $1::interval`,
    [`${days} days`],
  );

describe('the last sign-in', () => {
  it('is shown in the list, and the one before it to the person', async () => {
    const who = await person();
    expect((await read(who)).last_sign_in_at).toBeNull();
    expect((await signIn(who)).body).toMatchObject({ previous_sign_in_at: null });
    const first = (await read(who)).last_sign_in_at;
    const again = (await signIn(who)).body as Session;
    expect(again.previous_sign_in_at).toBe(first);
    const { operators } = (await api.staff.get('operators')).body as OperatorList;
    expect(operators.find(({ id }) => id === who.id)?.last_sign_in_at).toBe(again.operator.last_sign_in_at);
    expect(Date.parse(again.operator.last_sign_in_at ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? ''));
  });

  it('is none that was refused', async () => {
    const who = await person();
    await session('POST', { email: who.email, password: 'wrong' }, who.from);
    expect((await read(who)).last_sign_in_at).toBeNull();
  });
});

describe('an account that nobody uses', () => {
  it('is disabled after so many days, with an entry in the audit log, and counts anew once it is enabled', async () => {
    const [used, unused, invited] = [await person(), await person(), await person()];
    await signIn(unused);
    await age(20);
    await signIn(used);
    const late = await person();
    await age(10);
    await disableUnused();
    expect((await Promise.all([used, unused, invited, late].map(read))).map(({ state }) => state)).toEqual([
      'active',
      'disabled',
      'disabled',
      'active',
    ]);
    expect((await signIn(unused)).status).toBe(401);
    const { body } = await api.staff.get(`audit?subject=operator:${unused.id}&limit=1`);
    expect((body as AuditPage).entries).toMatchObject([
      { actor: 'system', action: 'operator.changed', detail: { state: 'disabled', unused_days: 30 } },
    ]);
    await api.staff.send('PATCH', `operators/${unused.id}`, { state: 'active' });
    await age(29);
    await disableUnused();
    expect((await read(unused)).state).toBe('active');
    await age(1);
    await disableUnused();
    expect((await read(unused)).state).toBe('disabled');
  });

  it('stays if it is that of the last administrator: the one who was there last', async () => {
    const [first, second] = [await person(['administrator']), await person(['administrator'])];
    await signIn(first);
    await age(1);
    await signIn(second);
    await age(400);
    await disableUnused();
    expect([(await read(first)).state, (await read(second)).state]).toEqual(['disabled', 'active']);
    const entries = async () => ((await api.staff.get('audit?action=operator.changed')).body as AuditPage).entries;
    const before = (await entries()).length;
    await disableUnused();
    expect(await entries()).toHaveLength(before);
  });
});

it('nobody is disabled without the setting', async () => {
  const plain = await startTestApi();
  const { person: personOf } = signInOf(() => plain);
  const { id } = await personOf();
  await plain.pool.query(`update operators set created_at = created_at - interval '10 years'`);
  await plain.app.get(UnusedAccounts).disable();
  expect((await plain.staff.get(`operators/${id}`)).body).toMatchObject({ state: 'active' });
  await plain.close();
});
