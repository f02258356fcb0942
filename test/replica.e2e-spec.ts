import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, Platform, Staff, STAFF_TOKEN, WHOLESALE } from './support/callers.js';
import { venueLine } from './support/discovery/catalogue-lines.js';
import { wholesaleBody } from './support/purchase-bodies.js';
import { Stand } from './support/stand/stand.js';
import { until } from './support/until.js';

const authorization = { authorization: `Bearer ${STAFF_TOKEN}` };
const READER = 'willcall api replica: LOG:';

describe('With DATABASE_REPLICA_URL', () => {
  let stand: Stand;
  let logOfStandby: () => string;
  let url: string;
  beforeAll(async () => {
    stand = await Stand.start({ database: 'replicated', apis: 1 });
    logOfStandby = (await stand.parts.replicas?.watchStandby()) ?? (() => '');
    ({ url } = await stand.addApi('reader', { DISCOVERY_CLIENT_ID: 'public' }));
  });
  afterAll(() => stand?.close());

  /** What the reading api asked the standby, one statement a line. */
  const asked = () =>
    logOfStandby()
      .replaceAll('\n\t', ' ')
      .split('\n')
      .filter((line) => line.startsWith(READER))
      .join('\n');

  it.each<[string, string, string]>([
    ['reports', '/backoffice/v1/reports/orders', 'is_total'],
    ['pages of the ping stream', '/stream/v1/pings', 'ping_stream'],
  ])('%s are read from the replica', async (_, path, words) => {
    await until(async () => {
      const { status } = await call(url + path, 'GET', undefined, authorization);
      return status === 200 && asked().includes(words);
    });
  });

  it('discovery is read from the replica, and has each change', async () => {
    let name = '';
    await until(async () => {
      name += 'x';
      await new Staff(url).send('PUT', 'catalogue/venues/9', venueLine(9, { name }));
      const { body } = await call(`${url}/2/venues?client_id=public`, 'GET');
      expect(body).toMatchObject({ venues: [{ name }] });
      return asked().includes('execute documents-of-venues');
    });
  });

  it('lists are read from the replica, and have the order that was just bought, each time', async () => {
    await stand.staff.putListing('lst-1', { quantity: 1_000 });
    for (let number = 1; number <= 20; number += 1) {
      const id = await new Platform(url, WHOLESALE).bought({ ...wholesaleBody(), ref_id: `replica-${number}` });
      const { body } = await new Staff(url).get('orders?limit=1');
      expect(body).toMatchObject({ orders: [{ id }] });
    }
    expect(asked()).toContain('execute listed-orders');
  });

  it('what a ping announces is read from the primary, and is there when the ping arrives', async () => {
    await until(() => stand.platform.arrivals.length >= 20);
    for (const { shown } of stand.platform.arrivals) expect(await shown).toContain(2000);
    expect(asked()).not.toContain('find-purchases');
  });
});
