import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERMISSIONS, type Permission, permissionsOf, ROLES } from '../permission.contract.js';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { type Answer, call, codesOf } from '../../../../test/support/callers.js';
import { signIn } from '../../../../test/support/operators.js';

/** Sets of permissions; any of them is enough. An empty set lets in everybody who is known. */
type Needed = readonly (readonly Permission[])[];

const ACT_ON_PINGS: Needed = [['delivery:act'], ['delivery:read', 'orders:act']];

/** The permission that each route needs. Written by hand, so that a wrong `@Permit` turns this red. */
const ROUTES: Readonly<Record<string, Needed>> = {
  'get assignees': [['orders:act']],
  'get audit': [['audit:read']],
  'get buyers/{id}': [['orders:act']],
  'get buyers/{id}/data': [['orders:reveal']],
  'get buyers/{id}/orders': [['orders:act']],
  ...catalogue('events', 'genres', 'performers', 'taxonomies', 'venues'),
  'get clients': [['admin']],
  'post clients': [['admin']],
  'patch clients/{client_id}': [['admin']],
  'delete clients/{client_id}': [['admin']],
  'post clients/{client_id}/restore': [['admin']],
  'post clients/{client_id}/rotate': [['admin']],
  'delete clients/{client_id}/secrets/{secret_id}': [['admin']],
  'get delivery/drift': [['delivery:read']],
  'post delivery/drift/send': [['delivery:act']],
  'get delivery/health': [['delivery:read']],
  'get delivery/history': [['delivery:read']],
  'post delivery-reports': [['orders:act']],
  'get transfer-sources': [['orders:read']],
  'put transfer-sources': [['admin']],
  'get orders/{id}/barcodes': [['orders:read']],
  'post orders/{id}/barcodes': [['orders:act']],
  'put orders/{id}/barcodes/{seat}': [['orders:act']],
  'post orders/{id}/tickets/made': [['orders:act']],
  'post orders/{id}/label': [['orders:act']],
  'get orders/{id}/label': [['orders:act']],
  'post orders/{id}/choice-link': [['orders:act']],
  'get orders/{id}/transfers': [['orders:read']],
  'post orders/{id}/transfers': [['orders:act']],
  'post orders/{id}/transfers/{transfer_id}/state': [['orders:act']],
  'post orders/{id}/transfers/{transfer_id}/proof': [['orders:act']],
  'get orders/{id}/transfers/{transfer_id}/proof': [['orders:act']],
  'get discovery-keys': [['admin']],
  'post discovery-keys': [['admin']],
  'patch discovery-keys/{client_id}': [['admin']],
  'delete discovery-keys/{client_id}': [['admin']],
  'post discovery-keys/{client_id}/rotate': [['admin']],
  'get disputes': [['money:read']],
  'get disputes/{id}': [['money:read']],
  'post disputes/{id}/accept': [['money:act']],
  'post disputes/{id}/close': [['money:act']],
  'post disputes/{id}/evidence': [['money:act']],
  'get disputes/{id}/pack': [['money:read']],
  'get events': [['listings:read']],
  'get events/names': [['listings:read']],
  'get events/venues': [['listings:read']],
  'get events/{event_id}': [['listings:read']],
  'get first-steps': [['admin']],
  'post test-purchases': [['admin']],
  'get fraud-rules': [['runs:act']],
  'put fraud-rules': [['runs:act']],
  'post fraud-rules/dry-run': [['runs:act']],
  'get jobs': [['runs:act']],
  'post jobs': [['runs:act']],
  'get jobs/{id}': [['runs:act']],
  'get jobs/{id}/file': [['runs:act']],
  'get jobs/{id}/preview': [['runs:act']],
  'get jobs/{id}/results': [['runs:act']],
  'post jobs/import': [['orders:import']],
  'post jobs/{id}/approve': [['runs:act']],
  'post jobs/{id}/cancel': [['runs:act']],
  'post jobs/{id}/pause': [['runs:act']],
  'post jobs/{id}/resume': [['runs:act']],
  'post jobs/{id}/undo': [['runs:act']],
  'get ledger/accounts': [['money:read']],
  'get ledger/entries': [['money:read']],
  'get listings': [['listings:read']],
  'patch listings': [['listings:write']],
  'post listings/import': [['listings:write']],
  'delete listings/{listing_id}': [['listings:write']],
  'get listings/{listing_id}': [['listings:read']],
  'patch listings/{listing_id}': [['listings:write']],
  'put listings/{listing_id}': [['listings:write']],
  'get macros': [['orders:act']],
  'post macros': [['orders:act']],
  'delete macros/{id}': [['orders:act']],
  'patch macros/{id}': [['orders:act']],
  'get mail-templates': [['admin']],
  'get mail-templates/{id}/page': [['admin']],
  'get maintenance-runs': [['delivery:read']],
  'post maintenance-runs': [['admin']],
  'get maintenance-runs/{id}': [['delivery:read']],
  'post maintenance-runs/{id}/cancel': [['admin']],
  'get money/tasks': [['money:read']],
  'post money/tasks/{id}/done': [['money:act']],
  'get notices': [['delivery:read']],
  'get operators': [['admin']],
  'post operators': [['admin']],
  'delete operators/{id}': [['admin']],
  'get operators/{id}': [['admin']],
  // People may change their own name and password, and their own authenticator app.
  'patch operators/{id}': [['admin']],
  'delete operators/{id}/totp': [['admin']],
  'post operators/{id}/totp': [['admin']],
  'post operators/{id}/totp/confirm': [['admin']],
  'post operators/{id}/totp/recovery-codes': [['admin']],
  'get orders': [['orders:read']],
  'get orders/count': [['orders:read']],
  'get orders/changes/live': [['orders:read']],
  'post orders/search': [['orders:read']],
  'get orders/{id}': [['orders:read']],
  'put queues/{id}/escalation': [['runs:act']],
  'post orders/{id}/accept': [['orders:act']],
  'post orders/{id}/approve': [['orders:act']],
  'get orders/{id}/actions': [['orders:read']],
  'put orders/{id}/assignee': [['orders:act']],
  'patch orders/{id}/buyer': [['orders:reveal']],
  'get orders/{id}/changes': [['orders:read']],
  'post orders/{id}/deny': [['orders:act']],
  'get orders/{id}/events': [['orders:read']],
  'post orders/{id}/fulfillment': [['orders:act']],
  'get orders/{id}/queue': [['orders:read']],
  'get orders/{id}/timeline': [['orders:read']],
  'post orders/{id}/macros/{macro_id}': [['orders:act']],
  'get orders/{id}/mails': [['orders:read']],
  'post orders/{id}/mails': [['orders:act']],
  'post orders/{id}/mails/preview': [['orders:act']],
  'get orders/{id}/notes': [['orders:read']],
  'get orders/{id}/people': [['orders:note']],
  'get orders/{id}/presence': [['orders:read']],
  'post orders/{id}/notes': [['orders:note']],
  'delete orders/{id}/personal-data': [['orders:erase']],
  'post orders/{id}/personal-data/reveal': [['orders:reveal']],
  'post orders/{id}/disputes': [['money:act']],
  'get orders/{id}/refunds': [['orders:read']],
  'post orders/{id}/refunds': [['orders:act']],
  'get orders/{id}/refunds/preview': [['orders:read']],
  'post orders/{id}/refunds/{refund_id}/approve': [['money:act']],
  'post orders/{id}/refunds/{refund_id}/decline': [['money:act']],
  'post orders/{id}/replacement': [['orders:act']],
  'post orders/{id}/replacement/accept': [['orders:act']],
  'post orders/{id}/replacement/reject': [['orders:act']],
  'post orders/{id}/status': [['orders:act']],
  'put orders/{id}/snooze': [['orders:act']],
  'put orders/{id}/tags': [['orders:act']],
  'get orders/{id}/tickets': [['orders:read']],
  'post orders/{id}/tickets': [['orders:act']],
  'delete orders/{id}/tickets/{ticket_id}': [['orders:act']],
  'get orders/{id}/tickets/{ticket_id}/file': [['orders:act']],
  'post orders/{id}/tickets/{ticket_id}/link': [['orders:act']],
  'get inbox': [['orders:read']],
  'post inbox/read': [['orders:read']],
  'get inbox/settings': [['orders:read']],
  'put inbox/settings': [['orders:read']],
  'get pings': [['delivery:read']],
  'get transactions/{transaction_id}': [['orders:read']],
  'post pings/send': [['delivery:act']],
  'get pings/{id}': [['delivery:read']],
  'post pings/{id}/send': ACT_ON_PINGS,
  'get policies': [['runs:act']],
  'get provider-events': [['money:read']],
  'put policies': [['runs:act']],
  'post policies/dry-run': [['runs:act']],
  'get projections': [['delivery:read']],
  'get queues': [['orders:read']],
  'post queues': [['orders:act']],
  'delete queues/{id}': [['orders:act']],
  'put queues/{id}': [['orders:act']],
  'get queues/{id}/orders': [['orders:read']],
  'get reconciliations': [['money:read']],
  'post reconciliations': [['money:act']],
  'get reconciliations/{id}': [['money:read']],
  'post reconciliations/import': [['money:act']],
  'get replays': [['delivery:read']],
  'post replays': [['delivery:act']],
  'get replays/{id}': [['delivery:read']],
  'post replays/{id}/cancel': [['delivery:act']],
  'post replays/{id}/pause': [['delivery:act']],
  'post replays/{id}/resume': [['delivery:act']],
  'get report-subscriptions': [['orders:read']],
  'put report-subscriptions/{schedule}': [['orders:read']],
  'delete report-subscriptions/{schedule}': [['orders:read']],
  'get reports/{report}': [['orders:read']],
  'delete sample': [['admin']],
  'get sample': [['admin']],
  'get roles': [['admin']],
  'post seller-payments': [['money:act']],
  'get status-catalogue': [['orders:read']],
  'put status-catalogue': [['admin']],
  'get status-catalogue/source': [['admin']],
  'get stream-tokens': [['admin']],
  'post stream-tokens': [['admin']],
  'delete stream-tokens/{id}': [['admin']],
  'get tokens': [['admin']],
  'post tokens': [['admin']],
  'delete tokens/{id}': [['admin']],
  'get views': [['orders:read']],
  'post views': [['orders:read']],
  'delete views/{id}': [['orders:read']],
  'put views/{id}': [['orders:read']],
  'get webhooks': [['delivery:read']],
  'post webhooks': [['delivery:act']],
  'delete webhooks/{id}': [['delivery:act']],
  'get webhooks/{id}': [['delivery:read']],
  'patch webhooks/{id}': [['delivery:act']],
  'get webhooks/{id}/deliveries': [['delivery:read']],
  'post webhooks/{id}/deliveries/{delivery}/send': [['delivery:act']],
  'post webhooks/{id}/pause': [['delivery:act']],
  'post webhooks/{id}/resume': [['delivery:act']],
  'post webhooks/{id}/rotate': [['delivery:act']],
  'post webhooks/{id}/test': [['delivery:act']],
};

function catalogue(...kinds: readonly string[]): Record<string, Needed> {
  return Object.fromEntries(
    kinds.flatMap((kind): [string, Needed][] => [
      [`delete catalogue/${kind}/{id}`, [['listings:write']]],
      [`get catalogue/${kind}/{id}`, [['listings:read']]],
      [`put catalogue/${kind}/{id}`, [['listings:write']]],
    ]),
  );
}

/** For routes that decide on the permission after reading the body. */
const BODIES: Readonly<Record<string, object>> = {
  'patch operators/{id}': { name: 'Ada' },
  'post operators/{id}/totp/confirm': { code: '123456' },
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

const allows = (needed: Needed, permissions: readonly Permission[]) =>
  needed.some((set) => set.every((permission) => permissions.includes(permission)));

/** What is wrong with the answer of a route whose records do not exist: nothing, or its status. */
async function wrongAnswer(send: Send, route: string, isAllowed: boolean): Promise<string[]> {
  const [method = '', path = ''] = route.split(' ');
  // The answer to GET has no end.
  const isLive = path.endsWith('/live');
  const answer = await send(isLive ? 'HEAD' : method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '99'), BODIES[route]);
  const isRefused = answer.status === 403 && (isLive || codesOf(answer)[0] === 40300);
  // A broker is refused what all sellers share, and gets 404 for a record of another seller.
  const isKnown = answer.status !== 401 && answer.status !== 500;
  return isRefused === isAllowed || !isKnown ? [`${route}: ${answer.status}`] : [];
}

/** The routes that answer 401 or 403, or that should. */
async function wrongRoutes(send: Send, permissions: readonly Permission[]): Promise<string[]> {
  const found: string[] = [];
  for (const [route, needed] of Object.entries(ROUTES)) {
    found.push(...(await wrongAnswer(send, route, allows(needed, permissions))));
  }
  return found;
}

it('knows every route of the back office', () => {
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>;
  };
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security }]) => security?.some((scheme) => 'staff' in scheme))
      .map(([method]) => `${method} ${path.replace('/backoffice/v1/', '')}`),
  );
  expect(Object.keys(ROUTES).sort()).toEqual(routes.sort());
});

/** A token of the back office with these scopes; each is made once. */
const tokens = new Map<string, Promise<string>>();
function withScopes(scopes: readonly Permission[]): Send {
  const name = scopes.join(' ');
  const made = tokens.get(name) ?? api.staff.send('POST', 'tokens', { name, scopes }).then(({ body }) => tokenIn(body));
  tokens.set(name, made);
  return async (method, path, body) =>
    await call(`${api.url}/backoffice/v1/${path}`, method, body, { authorization: `Bearer ${await made}` });
}

const tokenIn = (body: unknown) => (body as { token: string }).token;

/** One permission of each set, in all ways: whoever lacks these lacks something of every set. */
function lacking(needed: Needed): Permission[][] {
  return needed.reduce<Permission[][]>(
    (chosen, set) => chosen.flatMap((some) => set.map((permission) => [...some, permission])),
    [[]],
  );
}

describe('a token', () => {
  it('with only the scopes that a route needs is let in', async () => {
    const wrong: string[] = [];
    for (const [route, needed] of Object.entries(ROUTES)) {
      for (const set of needed) wrong.push(...(await wrongAnswer(withScopes(set), route, true)));
    }
    expect(wrong).toEqual([]);
  });

  it('with all scopes but those that a route needs is refused', async () => {
    const wrong: string[] = [];
    for (const [route, needed] of Object.entries(ROUTES)) {
      for (const missing of lacking(needed)) {
        const others = PERMISSIONS.filter((permission) => !missing.includes(permission));
        wrong.push(...(await wrongAnswer(withScopes(others), route, false)));
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('an operator', () => {
  it.each(ROLES.filter((role) => role !== 'broker'))(
    'with the role %s may do exactly what it permits',
    async (role) => {
      const { send } = await signIn(api, [role]);
      expect(await wrongRoutes(send, permissionsOf([role]))).toEqual([]);
    },
  );

  it('with the role broker may use only routes that are limited to sellers', async () => {
    const { send } = await signIn(api, ['broker'], ['Front Row']);
    const refused = await wrongRoutes(send, permissionsOf(['broker']));
    const shared = Object.keys(catalogue('events', 'genres', 'performers', 'taxonomies', 'venues'));
    const changes = shared.filter((route) => !route.startsWith('get'));
    // A transaction may be about the orders of several sellers. Brokers do not assign orders or change shared queues and macros.
    const others = ['get assignees', 'get transactions/{transaction_id}', 'delete queues/{id}', 'delete macros/{id}'];
    const closed = [...changes, ...others];
    expect(refused.sort()).toEqual(closed.map((route) => `${route}: 403`).sort());
  });

  it('changes nothing without the CSRF token of the session', async () => {
    const { send } = await signIn(api, ['administrator']);
    for (const route of Object.keys(ROUTES).filter((name) => !name.startsWith('get'))) {
      const [method = '', path = ''] = route.split(' ');
      const answer = await send(method.toUpperCase(), path, undefined, { 'x-csrf-token': 'forged' });
      expect([answer.status, codesOf(answer)], route).toEqual([403, [40310]]);
    }
  });
});

describe('the ping stream', () => {
  const status = async (headers: Record<string, string>) =>
    (await call(`${api.url}/stream/v1/pings`, 'GET', undefined, headers)).status;

  it('is read by tokens with the scope stream:read', async () => {
    for (const [scope, expected] of [
      ['stream:read', 200],
      ['orders:read', 403],
    ] as const) {
      const { body } = await api.staff.send('POST', 'tokens', { name: scope, scopes: [scope] });
      const { id, token } = body as { id: string; token: string };
      expect(await status({ authorization: `Bearer ${token}` })).toBe(expected);
      await api.staff.send('DELETE', `tokens/${id}`);
      expect(await status({ authorization: `Bearer ${token}` })).toBe(401);
    }
  });

  it.each(ROLES)('is read by the role %s only if it permits that', async (role) => {
    const { cookie } = await signIn(api, [role]);
    expect(await status({ cookie })).toBe(permissionsOf([role]).includes('stream:read') ? 200 : 403);
  });

  it('ends for a reader whose token is revoked, and for one who signs out', async () => {
    const { body } = await api.staff.send('POST', 'tokens', { name: 'live', scopes: ['stream:read'] });
    const { id, token } = body as { id: string; token: string };
    const { cookie, send } = await signIn(api, ['operations']);
    const live = (headers: Record<string, string>) => fetch(`${api.url}/stream/v1/pings/live`, { headers });
    const readers = await Promise.all([live({ authorization: `Bearer ${token}` }), live({ cookie })]);
    expect(readers.map((reader) => reader.status)).toEqual([200, 200]);
    await api.staff.send('DELETE', `tokens/${id}`);
    await send('DELETE', 'session');
    // Resolves when the server ends the response.
    await Promise.all(readers.map((reader) => reader.text()));
  });
});

it('lets nobody in without a session or a token', async () => {
  for (const route of Object.keys(ROUTES)) {
    const [method = '', path = ''] = route.split(' ');
    const answer = await call(`${api.url}/backoffice/v1/${path}`, method.toUpperCase());
    expect([answer.status, codesOf(answer)], route).toEqual([401, [40100]]);
  }
});
