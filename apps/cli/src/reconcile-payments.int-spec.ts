import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Reconciliation } from '#money/reconciliation.contract';
import { ReconciliationRunner } from '#money/reconciliation-runner';
import { Reconciliations } from '#money/reconciliations';
import { PaymentSteps } from '#orders/payments/payment-steps';
import { PaymentProviders } from '#payments/payment-providers';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { apiEnvironment } from '../../../test/support/api-environment.js';
import { cardBody, wholesaleBody } from '../../../test/support/purchase-bodies.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { reconcilePaymentsCommand } from './reconcile-payments.js';
import { withReconciliations } from './with-reconciliations.js';
import { exitCodeOf } from './terminal/user-error.js';

let api: TestApi;
const folder = temporaryFolder('reconcile-payments');
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const PERIOD = ['--from', day(-1), '--to', day(1)];

beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-1', { quantity: 100 });
});
afterAll(() => api.close());
afterEach(() => (process.exitCode = undefined));

type Ended = Readonly<{ code: unknown; said: string }>;

async function reconcile(...args: string[]): Promise<Ended> {
  process.exitCode = undefined;
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const { app, pool } = api;
  const command = reconcilePaymentsCommand((work) =>
    work({
      pool,
      reconciliations: app.get(Reconciliations),
      runner: app.get(ReconciliationRunner),
      providers: app.get(PaymentProviders),
    }),
  );
  try {
    await command.parseAsync(args, { from: 'user' });
    return { code: process.exitCode ?? 0, said: String(log.mock.calls[0]?.[0]) };
  } catch (error) {
    return { code: exitCodeOf(error), said: (error as Error).message };
  } finally {
    log.mockRestore();
  }
}

function file(name: string, ...lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, ['ref_id,amount,paid_on', ...lines].join('\n'));
  return path;
}

describe('the books', () => {
  it('agree with the list of the provider: 0', async () => {
    const id = await api.payment.bought(cardBody());
    await api.app.get(PaymentSteps).run(id, { transaction_id: 'test', actor: 'system:capture' });
    const { code, said } = await reconcile('--provider', 'sandbox', ...PERIOD);
    expect([code, said]).toEqual([0, expect.stringMatching(/^Compared with sandbox, as of .*: 1 agree, 0 differ\.$/)]);
    const { rows } = await api.pool.query(`select from audit_log where action = 'reconciliation.started'`);
    expect(rows).toHaveLength(1);
  });

  it('differ from it: 1, and each difference has a line', async () => {
    await api.pool.query(`
      insert into sandbox_payments (order_id, reference, amount_cents, captured_cents, state, created_at, captured_at)
      values ('ord_stray', 'sandbox_stray', 100, 100, 'authorised', now(), now() - interval '1 second')`);
    const { code, said } = await reconcile('--provider', 'sandbox', ...PERIOD);
    expect(code).toBe(1);
    expect(said.split('\n')[2]).toMatch(/^missing_here +sandbox_stray +1\.00$/);
    const json = JSON.parse((await reconcile('--provider', 'sandbox', ...PERIOD, '--json')).said) as Reconciliation;
    expect(json).toMatchObject({ state: 'done', differing: 1, differences: [{ kind: 'missing_here', theirs: 1 }] });
  });

  it('are compared with what a client paid, and with nothing where there is no file', async () => {
    await api.wholesale.bought(wholesaleBody());
    const unpaid = await reconcile('--client', 'wh-1', ...PERIOD);
    expect([unpaid.code, unpaid.said]).toEqual([1, expect.stringContaining('missing_there')]);
    const paid = await reconcile('--client', 'wh-1', '--file', file('paid.csv', 'ref-1,180.02,2026-11-25'));
    expect([paid.code, paid.said]).toEqual([0, expect.stringContaining('1 agree, 0 differ')]);
    expect((await reconcile('--client', 'wh-1', ...PERIOD)).code).toBe(0);
  });
});

it('needs no service that runs: the settings lead to the database and the providers', async () => {
  for (const [name, value] of Object.entries(apiEnvironment(api.databaseUrl))) vi.stubEnv(name, value);
  const names = await withReconciliations(async ({ reconciliations, providers, pool }) => {
    const { id } = await reconciliations.beginList('sandbox', { from: day(-1), to: day(0), requestedBy: 'cli:test' });
    await pool.query('delete from reconciliations where id = $1', [id]);
    return providers.all.map(({ name }) => name);
  });
  vi.unstubAllEnvs();
  expect(names).toEqual(['sandbox']);
});

describe('nothing is compared, and the code is 2,', () => {
  it.each<readonly [string, readonly string[], string]>([
    ['without one of the two', PERIOD, 'Name one'],
    ['with both', ['--provider', 'sandbox', '--client', 'wh-1', ...PERIOD], 'Name one'],
    ['without a period', ['--provider', 'sandbox'], '--from'],
    ['with a period that ends early', ['--provider', 'sandbox', '--from', day(1), '--to', day(-1)], 'later than from'],
    ['with an unknown provider', ['--provider', 'stripe', ...PERIOD], 'stripe is not configured'],
    ['with a file of a provider', ['--provider', 'sandbox', ...PERIOD, '--file', 'x.csv'], '--client'],
    ['with an unknown client', ['--client', 'nobody', ...PERIOD], 'no client nobody'],
    ['without a file and a period', ['--client', 'wh-1'], 'a --file, or a period'],
    ['with a file that is not there', ['--client', 'wh-1', '--file', join(folder, 'absent.csv')], 'There is no file'],
    ['with a broken line', ['--client', 'wh-1', '--file', file('broken.csv', 'a,b,2026-11-25')], 'line 2: amount'],
  ])('%s', async (_, args, reason) => {
    expect(await reconcile(...args)).toEqual({ code: 2, said: expect.stringContaining(reason) });
  });

  it('when the provider cannot be reached', async () => {
    const provider = api.app.get(PaymentProviders).named('sandbox');
    const gone = vi.spyOn(provider, 'balanceLines').mockImplementation(() => {
      throw new Error('The provider is away.');
    });
    const { code, said } = await reconcile('--provider', 'sandbox', ...PERIOD);
    gone.mockRestore();
    expect([code, said]).toEqual([2, expect.stringContaining('The provider is away.')]);
  });
});
