import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../until.js';
import { braintreeTestMode } from './braintree-test-mode.js';
import { cardPayment, connectedBraintree, type ConnectedBraintree } from './connected-braintree.js';
import { providerCases } from './provider-cases.js';

let braintree: ConnectedBraintree;

beforeEach(async () => {
  braintree = await connectedBraintree();
});
afterEach(() => braintree.double.stop());

describe('the double of Braintree', () => {
  providerCases(() => ({ ...braintreeTestMode, provider: braintree.provider }));
});

describe('its faults', () => {
  it('are the same for the same seed and requests', async () => {
    const seen: string[] = [];
    for (let run = 0; run < 2; run += 1) {
      const { double, provider } = await connectedBraintree();
      double.fail({ seed: 7, rates: { 'done-dropped': 0.2, refused: 0.2 } });
      const outcomes: string[] = [];
      for (let order = 0; order < 6; order += 1) {
        const prepared = { orderId: `ord_${order}`, reference: 'vaulted-1', key: `ord_${order}-authorise-12050-USD` };
        const request = cardPayment({ orderId: `ord_${order}` });
        outcomes.push((await provider.authorise(prepared, request, AbortSignal.timeout(5_000))).is);
      }
      seen.push(`${outcomes.join()} ${double.asked.length}`);
      expect(double.book.charges()).toHaveLength(6);
      await double.stop();
    }
    expect(seen[0]).toBe(seen[1]);
    expect(Number(seen[0]?.split(' ')[1])).toBeGreaterThan(6);
  });
});

describe('its webhooks', () => {
  let received: string[];
  let receiver: Server;
  let address: string;

  beforeEach(async () => {
    received = [];
    receiver = createServer(async (request, response) => {
      const body = Buffer.from(await text(request));
      const { type, fact } = await braintree.provider.readWebhook({ body, headers: request.headers });
      received.push(`${type} ${fact.is}`);
      response.end();
    });
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    receiver.close();
    receiver.closeAllConnections();
  });

  const dispute = async () => braintree.double.openDispute((await braintree.captured()).reference);

  it('come before the answer, if a test wants that', async () => {
    const opened = await dispute();
    braintree.double.sendWebhooksTo(address, 'first');
    await braintree.provider.acceptDispute(opened);
    expect(received).toEqual(['dispute_accepted dispute']);
  });

  it('come by themselves', async () => {
    braintree.double.sendWebhooksTo(address, 'at-once');
    await dispute();
    await until(() => received.length === 1);
  });

  it('come late, twice and in the wrong order, if a test wants that', async () => {
    braintree.double.sendWebhooksTo(address, 'held');
    braintree.double.closeDispute(await dispute(), 'won');
    expect(received).toEqual([]);
    expect(await braintree.double.deliver({ twice: true, reversed: true })).toEqual([200, 200, 200, 200]);
    const [won, opened] = ['dispute_won dispute', 'dispute_opened dispute'];
    expect(received).toEqual([won, won, opened, opened]);
    expect(await braintree.double.deliver()).toEqual([]);
  });

  it('never come, if a test wants that', async () => {
    braintree.double.sendWebhooksTo(address, 'never');
    await dispute();
    braintree.double.sendWebhooksTo(address, 'held');
    expect(await braintree.double.deliver()).toEqual([]);
  });
});
