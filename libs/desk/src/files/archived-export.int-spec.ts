import { afterAll, beforeAll, expect, it } from 'vitest';
import { archiveOrders } from '#upkeep/archiving';
import { Installation } from '../../../../test/support/orders/installation.js';
import { linesText, orderLines } from '../../../../test/support/orders/order-lines.js';
import { moveSomeToFeed } from '../../../../test/support/orders/tampering.js';

let source: Installation;
beforeAll(async () => {
  source = await Installation.start();
  await source.owner.query(
    `insert into listings (id, terms, offered, available, created_at, updated_at)
     values ('listing-1', '{"eventId":"event","splitRule":"any"}', 7, 7, now(), now())`,
  );
  await source.import(linesText(orderLines(60)));
});
afterAll(() => source.stop());

it('archived orders are exported as from the log', async () => {
  await moveSomeToFeed(source.owner);
  await source.owner.query(`update pings set state = 'delivered', next_try_at = null`);
  const file = await source.export();
  const { orders } = await archiveOrders(source.owner, source.files, { before: new Date('2100-01-01') });
  expect(orders).toBeGreaterThan(2);
  expect((await source.export()).equals(file)).toBe(true);
});
