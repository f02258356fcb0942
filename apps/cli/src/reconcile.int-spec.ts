import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { cardBody, wholesaleBody } from '../../../test/support/purchase-bodies.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { reconcileCommand } from './reconcile.js';
import { UserError } from './terminal/user-error.js';

let api: TestApi;
let sold: string;
let paid: string;
const folder = temporaryFolder('reconcile');

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 100 });
  sold = await api.wholesale.bought(wholesaleBody());
  paid = await api.payment.bought(cardBody());
  await api.staff.changeStatus(sold, 2001);
});
afterAll(() => api.close());
afterEach(() => (process.exitCode = undefined));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function reconcile(...args: string[]): Promise<{ missing: object[]; compared: string[]; code: unknown }> {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  try {
    const command = reconcileCommand(
      (work) => work(api.pool),
      () => ({ platform: false, provider: args.length === 0 }),
    );
    await command.parseAsync([...args, '--json'], { from: 'user' });
    return { ...JSON.parse(String(log.mock.calls[0]?.[0])), code: process.exitCode };
  } finally {
    log.mockRestore();
  }
}

it('lists orders, charges and changes that other parties know and we do not', async () => {
  const platform = file(
    'platform.csv',
    `\uFEFFOrder ID;Seat;Status Code\r\n${sold};12" high;2001\r\n${paid};;2004\r\n\r\nord_lost;;2000\r\n`,
  );
  const provider = file(
    'provider.ndjson',
    `{"order_id":"${paid}","reference":"r1"}\n{"order_id":"ord_lost","reference":"r2"}\n`,
  );
  const change = (sequence: number, status_code: number) =>
    JSON.stringify({ data: { order_id: sold, sequence, status_code } });
  const webhooks = file('webhooks.jsonl', [change(1, 2000), change(2, 3010), change(3, 2002)].join('\n'));
  const found = await reconcile('--platform', platform, '--provider', provider, '--webhooks', webhooks);
  expect(found).toEqual({
    compared: ['platform', 'provider', 'webhooks'],
    code: 1,
    missing: [
      { party: 'platform', kind: 'unknown_change', order_id: paid, status_code: 2004 },
      { party: 'platform', kind: 'unknown_order', order_id: 'ord_lost', status_code: 2000 },
      { party: 'provider', kind: 'unknown_order', order_id: 'ord_lost', reference: 'r2' },
      { party: 'webhooks', kind: 'other_change', order_id: sold, sequence: 2, status_code: 3010 },
      { party: 'webhooks', kind: 'unknown_change', order_id: sold, sequence: 3, status_code: 2002 },
    ],
  });
});

it('says that nothing is missing, with exit code 0', async () => {
  const platform = file('all.ndjson', `{"id":"${sold}","status":{"status_code":2001}}\n{"id":"${paid}"}\n`);
  expect(await reconcile('--platform', platform)).toEqual({ compared: ['platform'], missing: [], code: undefined });
});

it('queries the sandbox provider itself', async () => {
  await api.pool.query(`insert into sandbox_payments (order_id, reference, amount_cents, state, created_at)
    values ('ord_charged', 'sandbox_ord_charged', 100, 'authorised', now())`);
  expect(await reconcile()).toEqual({
    compared: ['provider'],
    missing: [{ party: 'provider', kind: 'unknown_order', order_id: 'ord_charged', reference: 'sandbox_ord_charged' }],
    code: 1,
  });
});

it('names the record of a file that cannot be read', async () => {
  const broken = file('broken.ndjson', `{"order_id":"${sold}"}\n{"order_id":"x","sequence":"two"}\n`);
  await expect(reconcile('--webhooks', broken)).rejects.toThrow(/record 2: sequence/);
  await expect(reconcile('--webhooks', file('no.ndjson', 'no\n'))).rejects.toThrow(/record 1: it is not valid/);
  await expect(reconcile('--provider', file('short.csv', 'order_id,reference\n1\n'))).rejects.toBeInstanceOf(UserError);
  await expect(reconcile('--platform', join(folder, 'absent.csv'))).rejects.toThrow(/There is no file/);
});
