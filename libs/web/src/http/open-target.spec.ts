import { expect, it } from 'vitest';
import { isOpenToAnyone } from './open-target.js';

it('the surfaces that ask for a credential, and health checks, take any Host', () => {
  const withCredential = [
    '/checkout/v1/listings/1',
    '/backoffice/v1/orders',
    '/stream/v1/pings',
    '/2/events?q=a',
    '/2',
  ];
  expect([...withCredential, '/health/live'].filter(isOpenToAnyone)).toEqual([]);
  const open = ['/', '/orders', '/docs', '/openapi.json', '/metrics', '/sandbox/pings', '/about', '/e/1', '/checkout'];
  expect(open.filter((target) => !isOpenToAnyone(target))).toEqual([]);
});
