import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { RECEIVER, trustAuthority } from '../../../../test/support/tls/authority.js';
import { AddressGuard } from '#delivery-kit/address-guard';
import { WebhookSender } from './webhook-sender.js';

let receiver: Server;
let sender: WebhookSender;
let names: (string | false | null)[];
beforeAll(async () => {
  receiver = createServer(
    { cert: readFileSync(RECEIVER.certFile), key: readFileSync(RECEIVER.keyFile) },
    (request, response) => {
      names.push((request.socket as TLSSocket).servername);
      request.resume().on('end', () => response.end());
    },
  ).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterAll(() => receiver.close());

beforeEach(() => {
  names = [];
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  sender = new WebhookSender(new AddressGuard(true, resolve), new FixedClock(), { timeoutMs: 5_000, connections: 2 });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await sender.close();
});

const post = (name: string) => {
  const url = `https://${name}:${(receiver.address() as AddressInfo).port}/hook`;
  return sender.send({ webhookId: 'whk_1', url, headers: {}, body: '{}' });
};

it('uses TLS to the checked address, with the given name', async () => {
  trustAuthority();
  expect(await post('receiver.example.com')).toEqual({ httpStatus: 200, error: null, answer: null });
  expect(names).toEqual(['receiver.example.com']);
});

it('sends nothing to a receiver without a certificate for that name', async () => {
  trustAuthority();
  expect((await post('another.example.com')).error).toBe('the connection failed: ERR_TLS_CERT_ALTNAME_INVALID');
  expect(names).toEqual([]);
});

it('sends nothing to a receiver with a self-signed certificate', async () => {
  expect((await post('receiver.example.com')).error).toBe('the connection failed: UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  expect(names).toEqual([]);
});
