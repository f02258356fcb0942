import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import type { Environment } from '#base/settings';
import { startTestApi, type TestApi } from '../../../test/support/api.js';
import { PAYMENT, WHOLESALE } from '../../../test/support/callers.js';
import { FixedClock, ScriptedRandomness } from '../../../test/support/fixed-clock.js';
import { quietPort } from '../../../test/support/quiet-port.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { platformCommand } from './platform.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await api.staff.putListing('lst-cli', {
    event_id: '1001',
    quantity: 100,
    price: 50,
    wholesale_price: 42.01,
    fees: 7.5,
    tax_rate: 0.04,
    tax_rates: { 'US-MA': 0.0625 },
    delivery_methods: [
      { type: 'download', name: 'E-tickets', cost: 0 },
      { type: 'ship', name: 'Courier', cost: 20, costs: { US: 14.5 } },
    ],
  });
});
afterAll(() => api.close());

type Ran = { code: number | undefined; said: string; pauses: number[] };

/** Runs `platform …` against the api as its payment client, unless the environment differs. */
async function run(
  args: readonly string[],
  environment: Environment = {},
  onPause?: () => Promise<unknown>,
): Promise<Ran> {
  const ran: Ran = { code: undefined, said: '', pauses: [] };
  const { clientId: CHECKOUT_CLIENT_ID, secret: CHECKOUT_CLIENT_SECRET } = PAYMENT;
  const ours = { PUBLIC_URL: api.url, CHECKOUT_CLIENT_ID, CHECKOUT_CLIENT_SECRET, ...environment };
  const pause = async (ms: number) => {
    ran.pauses.push(ms);
    await onPause?.();
  };
  const command = platformCommand({
    settings: () => parseSettings(ours),
    dependencies: { clock: new FixedClock(), randomness: new ScriptedRandomness(0), pause },
    print: (text) => (ran.said += `${text}\n`),
    setExitCode: (code) => (ran.code = code),
  });
  await command.parseAsync(args, { from: 'user' });
  return ran;
}

const BUY = ['buy', 'lst-cli', '--event', '1001', '--quantity', '2'];

describe('platform lookup', () => {
  it('shows the request, the status and the listing', async () => {
    const { code, said } = await run(['lookup', 'lst-cli', '--quantity', '2', '--country', 'US', '--state', 'MA']);
    expect(code).toBe(0);
    expect(said).toContain(`> GET ${api.url}/checkout/v1/listings/lst-cli?quantity=2&country=US&state=MA\n< 200 OK\n{`);
    expect(said).toContain('"splits": [1, 2, 3, 4, 5');
    expect(said).toContain('"tax": 7.19');
  });

  it('ends with 1 and the reason if it is rejected', async () => {
    const { code, said } = await run(['lookup', 'lst-none']);
    expect(code).toBe(1);
    expect(said).toContain('< 400 Bad Request\nRefused:\n  40012  Invalid listing id');
    const wrong = await run(['lookup', 'lst-cli', '--client-id', 'pay-1', '--secret', 'not-the-secret-of-it']);
    expect([wrong.code, wrong.said]).toEqual([1, expect.stringContaining('40100  Authentication failed')]);
  });

  it('ends with 3 if nobody answers, after all tries', async () => {
    const nobody = `http://127.0.0.1:${await quietPort()}/checkout`;
    const { code, said, pauses } = await run(['lookup', 'lst-cli', '--url', nobody]);
    expect(code).toBe(3);
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
    expect(said).toContain('< the connection failed: ECONNREFUSED\n  trying again in 0.5 s\n');
  });

  it('prints only JSON if requested', async () => {
    const { said } = await run(['lookup', 'lst-cli', '--json']);
    expect(JSON.parse(said)).toMatchObject({ listing_id: 'lst-cli' });
    expect(JSON.parse((await run(['lookup', 'lst-none', '--json'])).said)).toHaveProperty('errors');
    const none = await run(['lookup', 'lst-cli', '--json', '--url', `http://127.0.0.1:${await quietPort()}`]);
    expect([none.code, JSON.parse(none.said)]).toEqual([3, { no_answer: 'the connection failed: ECONNREFUSED' }]);
  });

  it('shows what it signs if requested, but never the signature', async () => {
    const { said } = await run(['lookup', 'lst-cli', '--verbose', '--transaction-id', 'txn-7']);
    expect(said).toContain('  transaction id: txn-7\n  signed text:\n  GET\n  /checkout/v1/listings/lst-cli\n');
    expect(said).not.toContain(PAYMENT.clientId);
  });
});

describe('platform buy', () => {
  it('buys at the price of the lookup', async () => {
    const { code, said } = await run([...BUY, '--ref-id', 'cli-1']);
    expect(code).toBe(0);
    expect(said).toContain('(50.00 + 7.50 fees) x 2 + 4.60 tax + 0.00 delivery = 119.60');
    expect(said).toContain('< 201 Created');
    expect(said).toContain('"ref_id": "cli-1"');
  });

  it('requests the price for the place of the shipment', async () => {
    const { code, said } = await run([...BUY, '--delivery', 'ship']);
    expect([code, said]).toEqual([0, expect.stringContaining('+ 7.19 tax + 14.50 delivery = 136.69')]);
  });

  it('pays by token', async () => {
    expect((await run([...BUY, '--token', 'tok_1', '--token-type', 'providerb_token'])).code).toBe(0);
    const declined = await run([...BUY, '--token', 'tok_declined']);
    expect([declined.code, declined.said]).toEqual([1, expect.stringContaining('40016  Payment declined')]);
  });

  it('can send another total, to show the rejection', async () => {
    const { code, said } = await run([...BUY, '--total', '1.00']);
    expect([code, said]).toEqual([1, expect.stringContaining('40026  Invalid total')]);
  });

  it('ends if the lookup is rejected', async () => {
    const { code, said } = await run(['buy', 'lst-cli', '--event', '9999', '--quantity', '2']);
    expect([code, said]).toEqual([1, expect.stringContaining('40012  Invalid listing id')]);
    expect(said).not.toContain('POST');
  });

  it('buys wholesale for the given total, or else for the one of the lookup', async () => {
    const wholesale = { CHECKOUT_CLIENT_ID: WHOLESALE.clientId, CHECKOUT_CLIENT_SECRET: WHOLESALE.secret };
    const buy = (total: string) => run([...BUY, '--variant', 'wholesale', '--total', total], wholesale);
    expect((await buy('84.02')).code).toBe(0);
    expect((await run([...BUY, '--variant', 'wholesale', '--ref-id', 'by-lookup'], wholesale)).code).toBe(0);
    expect((await buy('84.01')).said).toContain('40026  Invalid total');
    await expect(buy('84.015')).rejects.toThrow('at most two decimals');
  });
});

async function bought(refId: string): Promise<string> {
  const { said } = await run([...BUY, '--ref-id', refId, '--json']);
  return (JSON.parse(said) as { id: string }).id;
}

describe('platform get', () => {
  it('reads a purchase', async () => {
    const id = await bought('cli-2');
    const { code, said } = await run(['get', id]);
    expect([code, said]).toEqual([0, expect.stringContaining(`"id": "${id}"`)]);
    expect((await run(['get', 'ord_none'])).code).toBe(1);
  });

  it('watches it until it is rejected, and prints only changes', async () => {
    const id = await bought('cli-3');
    const codes = [undefined, 2002, undefined, 3007];
    const { code, said, pauses } = await run(['get', id, '--watch'], {}, async () => {
      const next = codes.shift();
      if (next) await api.staff.changeStatus(id, next);
    });
    expect(code).toBe(0);
    expect(pauses).toEqual([2_000, 2_000, 2_000, 2_000]);
    expect(said.match(/^ {2}"status": \{$/gm)).toHaveLength(3);
    expect(said).not.toContain('> GET');
  });
});

describe('the credentials', () => {
  it('are the generated ones of the demo if none are set', async () => {
    const folder = temporaryFolder('cli');
    const unset = { CHECKOUT_CLIENT_ID: '', CHECKOUT_CLIENT_SECRET: '', DATA_DIR: folder };
    try {
      await expect(run(['lookup', 'lst-cli'], unset)).rejects.toThrow('Who calls?');
      const made = { CHECKOUT_CLIENT_ID: PAYMENT.clientId, CHECKOUT_CLIENT_SECRET: PAYMENT.secret };
      const rest = {
        DISCOVERY_CLIENT_ID: 'd',
        BACKOFFICE_TOKEN: 'b',
        ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      };
      writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ ...made, ...rest }));
      expect((await run(['lookup', 'lst-cli'], unset)).code).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('must be given together', async () => {
    await expect(run(['get', 'ord_1', '--client-id', 'x'])).rejects.toThrow('go together');
    await expect(run(['get', 'ord_1', '--url', 'tickets.example'])).rejects.toThrow('--url must be');
  });
});
