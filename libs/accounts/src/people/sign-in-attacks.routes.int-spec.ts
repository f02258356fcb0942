import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { call, codesOf } from '../../../../test/support/callers.js';
import { PASSWORD, signInOf } from '../../../../test/support/sign-in.js';
import type { AuditPage } from '../audit.contract.js';
import { Passwords, PasswordsBusy } from './passwords.js';
import { RefusedSignIns } from './refused-sign-ins.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => api.close());

const { person, session, signedIn } = signInOf(() => api);

describe('guessing', () => {
  it('by strangers does not lock out the browser that a person has signed in with, which has ten tries of its own', async () => {
    const who = await person();
    const right = { email: who.email, password: PASSWORD };
    const wrong = { email: who.email, password: 'wrong' };
    const [, known = ''] = (await session('POST', right, who.from)).headers.getSetCookie();
    expect(known).toMatch(/^willcall-known=[\w-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/);
    const own = { ...who.from, cookie: known.split(';')[0] ?? '' };
    for (let index = 0; index < 10; index += 1) expect((await session('POST', wrong, who.from)).status).toBe(401);
    expect((await session('POST', right, who.from)).status).toBe(429);
    expect((await session('POST', right, own)).status).toBe(200);

    for (let index = 0; index < 10; index += 1) expect((await session('POST', wrong, own)).status).toBe(401);
    const locked = await session('POST', right, own);
    expect([locked.status, codesOf(locked)]).toEqual([429, [42900]]);
    // They count for the person too.
    expect((await session('POST', right, { 'x-forwarded-for': '10.6.0.1' })).status).toBe(429);
  });

  it('is not made easier by the browser of somebody else, or by a note that was changed', async () => {
    const [who, other] = [await person(), await person()];
    const signed = await session('POST', { email: other.email, password: PASSWORD }, other.from);
    const note = signed.headers.getSetCookie()[1]?.split(';')[0] ?? '';
    const wrong = { email: who.email, password: 'wrong' };
    for (let index = 0; index < 10; index += 1) expect((await session('POST', wrong, who.from)).status).toBe(401);
    for (const cookie of [note, `${note.slice(0, -4)}AAAA`, 'willcall-known=x', 'willcall-known=']) {
      expect((await session('POST', wrong, { 'x-forwarded-for': '10.6.0.2', cookie })).status).toBe(429);
    }
  });

  it('counts the addresses of one IPv6 network as one', async () => {
    const { email } = await person();
    const tries = Array.from({ length: 10 }, (_, index) => ({
      email: `v6-${index}@example.com`,
      from: { 'x-forwarded-for': `2001:db8:1:2::${index}` },
    }));
    for (const { email: stranger, from } of tries) {
      expect((await session('POST', { email: stranger, password: 'wrong' }, from)).status).toBe(401);
    }
    const right = { email, password: PASSWORD };
    expect((await session('POST', right, { 'x-forwarded-for': '2001:db8:1:2:ffff::1' })).status).toBe(429);
    expect((await session('POST', right, { 'x-forwarded-for': '2001:db8:1:3::1' })).status).toBe(200);
  });

  it('counts a person once, however the address is spelled', async () => {
    const added = { email: 'istanbul@example.com', name: 'I', roles: ['viewer'], password: PASSWORD };
    expect((await api.staff.send('POST', 'operators', added)).status).toBe(201);
    const spellings = ['istanbul@example.com', 'ISTANBUL@example.com', '\u0130stanbul@example.com'];
    const found = await api.pool.query<{ email: string }>(
      'select email from unnest($1::text[]) as given (email) where lower(email) = $2',
      [spellings, added.email],
    );
    expect(found.rows.length).toBe(3);
    const fail = (index: number) => {
      const email = found.rows[index % found.rows.length]?.email;
      return session('POST', { email, password: 'wrong' }, { 'x-forwarded-for': `10.5.0.${index}` });
    };
    for (let index = 0; index < 10; index += 1) expect((await fail(index)).status).toBe(401);
    for (let index = 10; index < 13; index += 1) expect((await fail(index)).status).toBe(429);
  });

  it('waits after ten failures of a person, whatever the password and the address', async () => {
    const { email, from } = await person();
    const tries = Array.from({ length: 12 }, (_, index) =>
      session('POST', { email, password: 'wrong' }, { 'x-forwarded-for': `10.1.0.${index}` }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const right = await session('POST', { email, password: PASSWORD }, from);
    expect([right.status, codesOf(right)]).toEqual([429, [42900]]);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(800);
    await api.pool.query(`update sign_in_failures set at = at - interval '15 minutes'`);
    expect((await session('POST', { email, password: PASSWORD }, from)).status).toBe(200);
  });

  it('counts the failures of an address too; a success resets those of the person only', async () => {
    const { email } = await person();
    const from = { 'x-forwarded-for': '10.2.0.1' };
    for (let index = 0; index < 9; index += 1) {
      await session('POST', { email: `stranger-${index}@example.com`, password: 'wrong' }, from);
    }
    expect((await session('POST', { email, password: PASSWORD }, from)).status).toBe(200);
    await session('POST', { email, password: 'wrong' }, from);
    expect((await session('POST', { email, password: PASSWORD }, from)).status).toBe(429);
    expect((await session('POST', { email, password: PASSWORD }, { 'x-forwarded-for': '10.2.0.2' })).status).toBe(200);
  });
});

describe('a password', () => {
  it.each(['password1', 'Password2026!', '11111111'])('that is tried first is refused: %s', async (password) => {
    const { id } = await person();
    const added = await api.staff.send('POST', 'operators', {
      email: 'c@example.com',
      name: 'C',
      roles: ['viewer'],
      password,
    });
    const changed = await api.staff.send('PATCH', `operators/${id}`, { password });
    const accepted = await call(`${api.url}/backoffice/v1/invitations/accept`, 'POST', { token: 'wsi_x', password });
    for (const answer of [added, changed, accepted]) {
      expect([answer.status, codesOf(answer)]).toEqual([400, [40001]]);
      expect(answer.text).toContain('password');
    }
  });

  it('that is new is not half of a change while too many wait', async () => {
    const { id } = await person();
    const busy = vi.spyOn(api.app.get(Passwords), 'hash').mockRejectedValue(new PasswordsBusy());
    const change = { name: 'Renamed', password: 'another good one' };
    expect((await api.staff.send('PATCH', `operators/${id}`, change)).status).toBe(503);
    busy.mockRestore();
    expect((await api.staff.get(`operators/${id}`)).body).toMatchObject({ name: 'P' });
  });
});

describe('a page of another site', () => {
  const bodyOf = ({ email }: { email: string }) => JSON.stringify({ email, password: PASSWORD });
  const form = (type: string) => ({ 'content-type': type });

  it.each([
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/csv',
  ])('cannot sign anybody in by a body of %s', async (type) => {
    const who = await person();
    const answer = await session('POST', bodyOf(who), { ...who.from, ...form(type) });
    expect([answer.status, codesOf(answer), answer.headers.get('set-cookie')]).toEqual([415, [41500], null]);
    const accepted = await call(`${api.url}/backoffice/v1/invitations/accept`, 'POST', '{"token":"x"}', form(type));
    expect(codesOf(accepted)).toEqual([41500]);
  });

  it('cannot sign anybody in without a type', async () => {
    const who = await person();
    const body = new Blob([bodyOf(who)]);
    const response = await fetch(`${api.url}/backoffice/v1/session`, { method: 'POST', body, headers: who.from });
    expect([response.status, response.headers.get('set-cookie')]).toEqual([415, null]);
  });

  it.each(['cross-site', 'same-site'])('is refused where the browser says that it is %s', async (site) => {
    const who = await person();
    const fetched = { 'sec-fetch-site': site };
    const answer = await session('POST', bodyOf(who), { ...who.from, ...fetched });
    expect([answer.status, codesOf(answer), answer.headers.get('set-cookie')]).toEqual([403, [40310], null]);
    const { cookie, csrf } = await signedIn(who);
    const own = { cookie, 'x-csrf-token': csrf };
    expect(codesOf(await session('DELETE', undefined, { ...own, ...fetched }))).toEqual([40310]);
    const url = `${api.url}/backoffice/v1/operators/${who.id}`;
    expect(codesOf(await call(url, 'PATCH', { name: 'Q' }, { ...own, ...fetched }))).toEqual([40310]);
    expect((await session('GET', undefined, { cookie, ...fetched })).status).toBe(200);
    expect((await session('DELETE', undefined, { ...own, 'sec-fetch-site': 'same-origin' })).status).toBe(204);
  });

  it('is not meant by a type in other words', async () => {
    const who = await person();
    const type = form('Application/JSON; charset=utf-8');
    expect((await session('POST', bodyOf(who), { ...who.from, ...type })).status).toBe(200);
  });
});

describe('many hashes of passwords at once', () => {
  const accept = (token: string, from: Record<string, string>) =>
    call(`${api.url}/backoffice/v1/invitations/accept`, 'POST', { token, password: PASSWORD }, from);

  it('are not begun for invitations that nobody gave, and staff of the same address still sign in', async () => {
    const { email, from } = await person();
    const hash = vi.spyOn(api.app.get(Passwords), 'hash');
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => accept(`wsi_${index}`, from)));
    expect(hash).not.toHaveBeenCalled();
    hash.mockRestore();
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([...Array<number>(10).fill(400), ...Array<number>(20).fill(429)]);
    const late = await accept('wsi_late', from);
    expect(codesOf(late)).toEqual([42900]);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await session('POST', { email, password: PASSWORD }, from)).status).toBe(200);
  });

  it('are refused while too many wait, which counts as no failure', async () => {
    const { email, from } = await person();
    const busy = vi.spyOn(api.app.get(Passwords), 'matches').mockRejectedValue(new PasswordsBusy());
    for (let index = 0; index < 11; index += 1) {
      const answer = await session('POST', { email, password: PASSWORD }, from);
      expect([answer.status, codesOf(answer)]).toEqual([503, [50300]]);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    busy.mockRestore();
    expect((await session('POST', { email, password: PASSWORD }, from)).status).toBe(200);
  });

  it('leave an invitation good', async () => {
    const added = await api.staff.send('POST', 'operators', { email: 'new@example.com', name: 'N', roles: ['viewer'] });
    const token = (added.body as { invite_url: string }).invite_url.split('#')[1] ?? '';
    const from = { 'x-forwarded-for': '10.3.0.1' };
    const busy = vi.spyOn(api.app.get(Passwords), 'hash').mockRejectedValue(new PasswordsBusy());
    expect((await accept(token, from)).status).toBe(503);
    busy.mockRestore();
    expect((await accept(token, from)).status).toBe(204);
    expect((await accept(token, from)).status).toBe(400);
  });
});

describe('refused sign-ins in the audit log', () => {
  const refusedOf = async (subject: string) =>
    ((await api.staff.get(`audit?action=session.refused&subject=${subject}&limit=100`)).body as AuditPage).entries;
  const fail = ({ email, from }: { email: string; from: Record<string, string> }) =>
    session('POST', { email, password: 'wrong' }, from);

  it('are one entry for the lock, and then a number for each quarter of an hour', async () => {
    const who = await person();
    for (let index = 0; index < 10; index += 1) expect((await fail(who)).status).toBe(401);
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        expect((await fail(who)).status).toBe(429);
      }),
    );
    const subject = `operator:${who.id}`;
    const reasons = (await refusedOf(subject)).map(({ detail }) => detail['reason']);
    expect(reasons).toEqual(['too many', ...Array<string>(10).fill('wrong')]);

    await api.app.get(RefusedSignIns).sumUp();
    expect(await refusedOf(subject)).toHaveLength(11);
    await api.pool.query(`update refused_sign_ins set since = since - interval '15 minutes'`);
    await Promise.all([api.app.get(RefusedSignIns).sumUp(), api.app.get(RefusedSignIns).sumUp()]);
    const [sum, ...rest] = await refusedOf(subject);
    expect(rest).toHaveLength(11);
    expect(sum).toMatchObject({ actor: 'system', address: null });
    expect(sum?.detail).toMatchObject({ reason: 'too many', tries: 20, of_them_listed: 1, networks: 1 });
  });

  it('are few entries, from however many addresses they come', async () => {
    const before = (await refusedOf('operator:unknown')).length;
    for (let index = 0; index < 30; index += 1) {
      const answer = await fail({ email: `n-${index}@example.com`, from: { 'x-forwarded-for': `10.4.0.${index}` } });
      expect(answer.status).toBe(401);
    }
    expect((await refusedOf('operator:unknown')).length - before).toBeLessThanOrEqual(20);
  });
});
