import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SystemRandomness } from '#base/randomness';
import { OrderDetail } from '#orders/order.contract';
import { parseSettings } from '#base/load-settings';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { apiEnvironment } from '../../../test/support/api-environment.js';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { runningService } from './running-service.js';
import { triggerCommand } from './trigger.js';

const PLATFORM_URL = 'https://platform.example';

let api: TestApi;
let real: TestApi;
beforeAll(async () => {
  api = await startTestApi({ SAMPLE_DATA: 'false' });
  real = await startTestApi({ PLATFORM_URL });
  const deliveries = [
    { type: 'download' as const, name: 'E-tickets', cost: 0 },
    { type: 'ship' as const, name: 'Courier', cost: 14.5 },
  ];
  for (const { staff } of [api, real]) {
    await staff.putListing('demo-payment-1', { event_id: '1001', quantity: 40, delivery_methods: deliveries });
    await staff.putListing('demo-manual-1', {
      event_id: '1003',
      quantity: 40,
      delivery_methods: deliveries,
      confirmation: 'manual',
    });
  }
});
afterAll(() => Promise.all([api.close(), real.close()]));

async function run(at: TestApi, ...words: string[]): Promise<string> {
  const settings = parseSettings({ ...apiEnvironment(at.databaseUrl), PUBLIC_URL: at.url });
  let said = '';
  const runtime = {
    settings: () => settings,
    dependencies: { clock: new FixedClock(), randomness: new SystemRandomness(), pause: async () => undefined },
    print: (text: string) => (said += `${text}\n`),
    setExitCode: () => undefined,
  };
  const command = triggerCommand((options) => runningService(options, settings), runtime);
  await command
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .parseAsync(words, { from: 'user' });
  return said;
}

describe('trigger', () => {
  it.each([
    ['order.confirmed', [2000]],
    ['order.pending', [1001]],
    ['order.rejected', [2000, 3004]],
    ['order.shipped', [2000, 2002]],
    ['order.delivered', [2000, 2004]],
    ['order.exception', [2000, 4006]],
    ['order.replacement_offered', [2000, 4005]],
  ])('%s leads an order through %j, each with its ping', async (what, codes) => {
    const said = await run(api, what);
    const [, id = ''] = /bought {2}(ord_\w+) {2}1 of listing demo-/.exec(said) ?? [];
    const order = OrderDetail.parse((await api.staff.get(`orders/${id}`)).body);
    expect(order.status_history.map(({ status_code }) => status_code)).toEqual(codes);
    expect(order.pings.map(({ status_code }) => status_code)).toEqual(codes);
    expect(said).toContain(`${codes.at(-1)} ${order.status?.status_message}`);
  });

  it('buys from the given listing', async () => {
    const json = await run(api, 'order.confirmed', '--listing', 'demo-manual-1', '--event', '1003', '--json');
    const { order_id: id, status } = JSON.parse(json) as { order_id: string; status: object };
    expect(status).toMatchObject({ status_code: 2000 });
    expect((await api.staff.get(`orders/${id}`)).body).toMatchObject({ product: { listing_id: 'demo-manual-1' } });
    const automatic = ['--listing', 'demo-payment-1', '--event', '1001'];
    await expect(run(api, 'order.pending', ...automatic)).rejects.toThrow(/manual confirmation/);
    await expect(run(api, 'order.pending', '--listing', 'x')).rejects.toThrow(/go together/);
  });

  it('refuses if pings go to a real platform, unless it is told to', async () => {
    await expect(run(real, 'order.confirmed')).rejects.toThrow(/--even-without-sandbox/);
    expect((await real.staff.get('orders')).body).toMatchObject({ orders: [] });
    expect(await run(real, 'order.confirmed', '--even-without-sandbox')).toMatch(/^bought/m);
  });
});
