import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { broken } from '../../../test/support/broken.js';
import { type Answer, call, codesOf } from '../../../test/support/callers.js';
import { type SignedIn, signIn } from '../../../test/support/operators.js';
import { cardBody } from '../../../test/support/purchase-bodies.js';
import type { AuditPage } from '#accounts/audit.contract';
import { type Permission, PERMISSIONS, type Role, ROLES } from '#accounts/permission.contract';

const BUYER = {
  'user.email': 'marked.buyer@example.com',
  'user.phone': '+1 999 000 1111',
  'user.ip_address': '203.0.113.77',
  'payment.data.first_name': 'MarkedBillingFirst',
  'payment.data.last_name': 'MarkedBillingLast',
  'payment.data.address1': '77 Marked Billing Road',
  'delivery_method.data.last_name': 'MarkedLast',
  'delivery_method.data.address1': '78 Marked Road',
  'delivery_method.data.city': 'MarkedCity',
  'delivery_method.data.phone': '+1 999 000 2222',
};

type Get = (path: string) => Promise<Answer>;

let api: TestApi;
let orderId: string;
let transactionId: string;
const people = new Map<Role, SignedIn>();

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 100 });
  orderId = await api.payment.bought(broken(cardBody(), BUYER));
  transactionId = ((await api.staff.get(`orders/${orderId}`)).body as { transaction_id: string }).transaction_id;
  for (const role of ROLES) people.set(role, await signIn(api, [role], role === 'broker' ? ['seller-1'] : undefined));
});
afterAll(() => api.close());

const buyerValuesIn = ({ text }: Answer) => Object.values(BUYER).filter((mark) => text.includes(mark));

const person = (role: Role): SignedIn => {
  const found = people.get(role);
  if (!found) throw new Error(`nobody is ${role}`);
  return found;
};

async function token(scopes: readonly Permission[]): Promise<Get> {
  const { body } = await api.staff.send('POST', 'tokens', { name: 'a program', scopes });
  const headers = { authorization: `Bearer ${(body as { token: string }).token}` };
  return (path) => call(`${api.url}/backoffice/v1/${path}`, 'GET', undefined, headers);
}

/** Every path of the back office that can be read, with the order in place of its parameters. */
function readPaths(): string[] {
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as { paths: Record<string, object> };
  return (
    Object.entries(document.paths)
      .filter(([path, methods]) => path.startsWith('/backoffice/v1/') && 'get' in methods)
      // The first never ends; live-orders.int-spec.ts reads all that it sends. The second is made to reveal.
      .filter(([path]) => path !== '/backoffice/v1/orders/changes/live' && path !== '/backoffice/v1/buyers/{id}/data')
      .map(([path]) => path.slice('/backoffice/v1/'.length))
      .map((path) => path.replace('{transaction_id}', transactionId))
      .map((path) => path.replace(/\{\w+\}/, path.startsWith('pings/') ? `${orderId}.1` : orderId))
  );
}

describe("a buyer's data", () => {
  it.each([...ROLES])('is shown in no answer to a person who is %s', async (role) => {
    const shown: string[] = [];
    for (const path of readPaths()) {
      const answer = await person(role).get(path);
      if (buyerValuesIn(answer).length > 0) shown.push(path);
    }
    expect(shown).toEqual([]);
  });

  it('is shown in no answer to a token without orders:reveal', async () => {
    const get = await token(PERMISSIONS.filter((permission) => permission !== 'orders:reveal'));
    const shown: string[] = [];
    for (const path of readPaths()) {
      const answer = await get(path);
      if (buyerValuesIn(answer).length > 0) shown.push(path);
    }
    expect(shown).toEqual([]);
  });

  it('is masked for a person, and in clear for a token with orders:reveal', async () => {
    const { body } = await person('administrator').get(`orders/${orderId}`);
    expect(body).toMatchObject({
      personal_data: 'kept',
      personal_data_masked: true,
      buyer: { email: 'm••@example.com', phone: '••11', ip_address: '••77', location: { lat: null, lon: null } },
      delivery_method: { type: 'ship', data: { last_name: 'M••', address1: '7••', state: 'NY', country: 'US' } },
      payment: { last_four: '1111', billing: { first_name: 'M••', last_name: 'M••' } },
    });
    const clear = await (await token(['orders:read', 'orders:reveal']))(`orders/${orderId}`);
    expect(clear.body).toMatchObject({ personal_data_masked: false, buyer: { email: 'marked.buyer@example.com' } });
    expect(buyerValuesIn(clear)).toHaveLength(Object.keys(BUYER).length);
  });

  it('stays masked in the answers to changes', async () => {
    const support = person('support');
    const answers = [
      await support.send('POST', `orders/${orderId}/status`, { status_code: 2001 }),
      await support.send('POST', `orders/${orderId}/fulfillment`, {
        type: 'ship',
        data: { carrier: 'UPS', tracking_number: '1Z1' },
      }),
      await support.send('PUT', `orders/${orderId}/tags`, ['vip']),
      await support.send('PUT', `orders/${orderId}/assignee`, { operator_id: support.id }),
    ];
    expect(answers.map((answer) => [answer.status, buyerValuesIn(answer)])).toEqual(Array(4).fill([200, []]));
  });

  it('does not help people without orders:act to find the order', async () => {
    const found = async (role: Role) => {
      const { body } = await person(role).get('orders?q=marked.buyer%40example.com');
      return (body as { orders: object[] }).orders.length;
    };
    expect([await found('support'), await found('viewer'), await found('auditor')]).toEqual([1, 0, 0]);
    const { body } = await person('viewer').get('orders/count?q=marked.buyer%40example.com');
    expect(body).toEqual({ count: 0 });
  });
});

describe('revealing', () => {
  const reveal = (role: Role, body: unknown = { reason: 'The buyer is on the phone.' }, id = orderId) =>
    person(role).send('POST', `orders/${id}/personal-data/reveal`, body);

  it('shows everything, and the audit log says to whom and why', async () => {
    const answer = await reveal('support');
    expect([answer.status, buyerValuesIn(answer).length]).toEqual([200, Object.keys(BUYER).length]);
    expect(answer.body).toMatchObject({
      buyer: { email: 'marked.buyer@example.com' },
      delivery_method: { type: 'ship', data: { last_name: 'MarkedLast' } },
      payment: { billing: { last_name: 'MarkedBillingLast' } },
    });
    const { body } = await api.staff.get(`audit?subject=order:${orderId}&action=personal_data.revealed`);
    expect((body as AuditPage).entries).toMatchObject([
      { actor: `operator:${person('support').id}`, detail: { reason: 'The buyer is on the phone.' } },
    ]);
    expect(buyerValuesIn(await person('support').get(`orders/${orderId}`))).toEqual([]);
  });

  it.each([[{}], [{ reason: ' ' }], [{ reason: 'x', more: 1 }]])('needs a reason: %j is refused', async (body) => {
    const answer = await reveal('support', body);
    expect([codesOf(answer), buyerValuesIn(answer)]).toEqual([[40001], []]);
  });

  it('needs the permission, an order, and data that was not erased', async () => {
    for (const role of ['viewer', 'auditor', 'broker'] as const) {
      const answer = await reveal(role);
      expect([codesOf(answer), buyerValuesIn(answer)]).toEqual([[40300], []]);
    }
    expect(codesOf(await reveal('support', undefined, 'ord_unknown'))).toEqual([40400]);
    await api.staff.send('DELETE', `orders/${orderId}/personal-data`);
    expect(codesOf(await reveal('support'))).toEqual([40400]);
  });
});
