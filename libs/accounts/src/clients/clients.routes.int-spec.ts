import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditPage } from '../audit.contract.js';
import { IssuedClientSecret, PlatformClient, PlatformClientList } from '../platform-client.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { broken } from '../../../../test/support/broken.js';
import { type Answer, codesOf, messagesOf, Platform } from '../../../../test/support/callers.js';
import { wholesaleBody } from '../../../../test/support/purchase-bodies.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1');
});
afterAll(() => api.close());

const make = (body: object) => api.staff.send('POST', 'clients', body);
const issued = (answer: Answer) => IssuedClientSecret.parse(answer.body);
let names = 0;
const made = async () => issued(await make({ name: `client ${(names += 1)}`, variant: 'wholesale' }));

/** How a request signed with this secret is answered. */
async function request(clientId: string, secret: string): Promise<number> {
  return (await new Platform(api.url, { clientId, secret, variant: 'wholesale' }).lookUp('lst-1')).status;
}

describe('a platform client', () => {
  it('is made with a random id and secret, or with those of the platform', async () => {
    const random = await made();
    expect(random.client_id).toMatch(/^cli_/);
    expect(random.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await request(random.client_id, random.secret)).toBe(200);
    const given = await make({ name: 'given', client_id: 'given', secret: 's3cret', variant: 'wholesale' });
    expect([given.status, issued(given).secret]).toEqual([201, 's3cret']);
    expect(await request('given', 's3cret')).toBe(200);
  });

  it('shows its secret only once', async () => {
    const { client_id: id, secret, secret_id: secretId } = await made();
    const list = await api.staff.get('clients');
    const listed = PlatformClientList.parse(list.body).clients.find(({ client_id }) => client_id === id);
    expect(listed?.secrets).toEqual([{ id: secretId, created_at: expect.any(String), revoked_at: null }]);
    expect(JSON.stringify([list.text, api.log])).not.toContain(secret);
  });

  it.each([
    [{}, 40001],
    [{ name: '' }, 40001],
    [{ name: 'a', client_id: 'a:b' }, 40001],
    [{ name: 'a', secret: 'with blank' }, 40001],
    [{ name: 'a', variant: 'retail' }, 40001],
    [{ name: 'a', client_id: 'wholesale-client' }, 40902],
  ])('is not made of %j', async (body, code) => {
    await make({ name: 'there already', client_id: 'wholesale-client' });
    const answer = await make(body);
    expect([answer.status, codesOf(answer)]).toEqual([Math.floor(code / 100), [code]]);
  });

  it('may be required to send a ref_id with each purchase', async () => {
    const { client_id: clientId, secret } = issued(
      await make({ name: 'strict', variant: 'wholesale', require_ref_id: true }),
    );
    const platform = new Platform(api.url, { clientId, secret, variant: 'wholesale' });
    const { ref_id: _, ...without } = wholesaleBody();
    for (const body of [without, broken(without, { ref_id: null })]) {
      const refused = await platform.buy(body);
      expect([refused.status, codesOf(refused), messagesOf(refused)]).toEqual([
        400,
        [40001],
        [expect.stringMatching(/ref_id$/)],
      ]);
    }
    const several = await platform.buy(broken(without, { 'product.quantity': 0, user: 7 }));
    expect(messagesOf(several)).toEqual([
      expect.stringMatching(/: user, ref_id$/),
      expect.stringContaining('product.quantity'),
    ]);
    expect((await platform.buy(broken(without, { ref_id: 'a-1' }))).status).toBe(201);

    const change = (body: object) => api.staff.send('PATCH', `clients/${clientId}`, body);
    expect(PlatformClient.parse((await change({ require_ref_id: false, name: 'lenient' })).body)).toMatchObject({
      name: 'lenient',
      require_ref_id: false,
    });
    expect((await platform.buy(without)).status).toBe(201);
    for (const body of [{}, { require_ref_id: 'yes' }, { name: '' }, { variant: 'payment' }]) {
      expect(codesOf(await change(body)), JSON.stringify(body)).toEqual([40001]);
    }
    expect((await api.staff.send('PATCH', 'clients/unknown', { name: 'x' })).status).toBe(404);
  });

  it('has two secrets during a rotation, and not three', async () => {
    const { client_id: id, secret: first, secret_id: firstId } = await made();
    const second = issued(await api.staff.send('POST', `clients/${id}/rotate`, {}));
    expect(await Promise.all([request(id, first), request(id, second.secret)])).toEqual([200, 200]);
    expect(codesOf(await api.staff.send('POST', `clients/${id}/rotate`, {}))).toEqual([40902]);
    const after = await api.staff.send('DELETE', `clients/${id}/secrets/${firstId}`);
    expect(PlatformClient.parse(after.body).secrets.map(({ revoked_at }) => revoked_at === null)).toEqual([
      true,
      false,
    ]);
    expect(await Promise.all([request(id, first), request(id, second.secret)])).toEqual([401, 200]);
  });

  it('is refused once it is revoked, and calls again with a new secret once it is restored', async () => {
    const { client_id: id, secret, name } = await made();
    expect(codesOf(await api.staff.send('POST', `clients/${id}/restore`, {}))).toEqual([40902]);
    const revoked = await api.staff.send('DELETE', `clients/${id}`);
    expect([revoked.status, PlatformClient.parse(revoked.body).revoked_at]).toEqual([200, expect.any(String)]);
    expect(await request(id, secret)).toBe(401);
    expect(codesOf(await api.staff.send('POST', `clients/${id}/rotate`, {}))).toEqual([40902]);
    const restored = issued(await api.staff.send('POST', `clients/${id}/restore`, {}));
    expect(restored).toMatchObject({ name, variant: 'wholesale', revoked_at: null });
    expect(await Promise.all([request(id, secret), request(id, restored.secret)])).toEqual([401, 200]);
  });

  it('that is unknown is not found', async () => {
    for (const [method, path] of [
      ['POST', 'clients/unknown/rotate'],
      ['POST', 'clients/unknown/restore'],
      ['DELETE', 'clients/unknown'],
      ['DELETE', 'clients/unknown/secrets/sec_1'],
    ] as const) {
      expect(codesOf(await api.staff.send(method, path, {})), path).toEqual([40400]);
    }
  });

  it('is named by the audit log when it is made', async () => {
    const { client_id: id } = await made();
    const { body } = await api.staff.get(`audit?subject=client:${id}`);
    expect((body as AuditPage).entries.map(({ action }) => action)).toEqual(['client.created']);
  });
});
