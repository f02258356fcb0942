import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../operator.contract.js';
import { Operators } from '../operators.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { call, codesOf } from '../../../../test/support/callers.js';
import { PASSWORD, signInOf } from '../../../../test/support/sign-in.js';

const SETTINGS = { SESSION_IDLE_MINUTES: '45', SIGN_IN_LOCK_MINUTES: '60', PASSWORD_MIN_LENGTH: '16' };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ TRUST_PROXY: '127.0.0.1', ...SETTINGS });
});
afterAll(() => api.close());

const { person, session, signedIn } = signInOf(() => api);

describe('the settings for people', () => {
  it('say how long a session lives without a use', async () => {
    const { cookie } = await signedIn(await person());
    const aged = (by: string) => api.pool.query(`update sessions set last_seen_at = last_seen_at - $1::interval`, [by]);
    await aged('44 minutes');
    expect((await session('GET', undefined, { cookie })).body).toMatchObject({
      idle_minutes: 45,
    } satisfies Partial<Session>);
    await aged('45 minutes');
    expect((await session('GET', undefined, { cookie })).status).toBe(401);
  });

  it('say how long failed sign-ins count', async () => {
    const { email, from } = await person();
    for (let tries = 0; tries < 10; tries += 1) await session('POST', { email, password: 'wrong' }, from);
    const retryAfter = async () =>
      (await session('POST', { email, password: PASSWORD }, from)).headers.get('retry-after');
    expect(Number(await retryAfter())).toBeGreaterThan(3_500);
    await api.pool.query(`update sign_in_failures set at = at - interval '59 minutes'`);
    expect(Number(await retryAfter())).toBeGreaterThan(0);
    await api.pool.query(`update sign_in_failures set at = at - interval '1 minute'`);
    expect((await session('POST', { email, password: PASSWORD }, from)).status).toBe(200);
  });

  it('say how long a new password must be, wherever one is set; shorter ones work until they are changed', async () => {
    const who = await person();
    const invited = await api.staff.send('POST', 'operators', { email: 'i@example.com', name: 'I', roles: ['viewer'] });
    const [, token] = (invited.body as { invite_url: string }).invite_url.split('#');
    const { cookie, csrf } = await signedIn(who);
    const own = { cookie, 'x-csrf-token': csrf };
    const password = 'fifteen letters';
    const refused = [
      await api.staff.send('POST', 'operators', { email: 'n@example.com', name: 'N', roles: ['viewer'], password }),
      await api.staff.send('PATCH', `operators/${who.id}`, { name: 'Renamed', password }),
      await call(
        `${api.url}/backoffice/v1/operators/${who.id}`,
        'PATCH',
        { password, current_password: PASSWORD },
        own,
      ),
      await call(`${api.url}/backoffice/v1/invitations/accept`, 'POST', { token, password }),
    ];
    for (const answer of refused) {
      expect([codesOf(answer), answer.text]).toEqual([
        [40001],
        expect.stringContaining('password: must have at least 16 characters'),
      ]);
    }
    const { operators } = (await api.staff.get('operators')).body as { operators: { name: string }[] };
    expect(operators.map(({ name }) => name)).not.toContain('Renamed');
    expect(await api.app.get(Operators).isInvited(token ?? '')).toBe(true);
    await api.pool.query('update operators set password_hash = $1 where id = $2', [await hash('short one'), who.id]);
    expect((await session('POST', { email: who.email, password: 'short one' }, who.from)).status).toBe(200);
  });

  it('are told to the pages where passwords are chosen', async () => {
    const { body } = await call(`${api.url}/backoffice/v1/session/options`, 'GET');
    expect(body).toEqual({ password: true, password_min_length: 16, openid: false });
  });
});
