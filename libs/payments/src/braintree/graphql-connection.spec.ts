import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { SeededRandomness } from '#base/seeded-randomness';
import { ProviderUnavailable } from '../payment-provider.js';
import { FixedClock } from '../../../../test/support/fixed-clock.js';
import { BraintreeFault, BraintreeRefusal } from './braintree-errors.js';
import { GraphqlConnection } from './graphql-connection.js';

// It ends in the pause after the third try.
const A_SECOND = 1_000;

let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  if (server?.listening) await once(server.close(), 'close');
});

/** A server that does not answer as GraphQL does, such as a proxy in between. */
async function connectedTo(listener: RequestListener): Promise<GraphqlConnection> {
  server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return connection((server.address() as AddressInfo).port);
}

const connection = (port: number) =>
  new GraphqlConnection({
    url: `http://127.0.0.1:${port}/graphql`,
    publicKey: 'public',
    privateKey: 'private',
    timeoutMs: 10_000,
    clock: new FixedClock(),
    randomness: new SeededRandomness(1),
  });

const answering =
  (status: number, body: string): RequestListener =>
  (_, response) =>
    void response.writeHead(status).end(body);
const errorOf = (errorClass: string, data: object | null = null) =>
  JSON.stringify({ data, errors: [{ message: 'no', extensions: { errorClass } }] });

const asked = (to: GraphqlConnection) => to.ask('{ ping }', {}).catch((error: unknown) => error);

describe('an answer', () => {
  it.each([
    [429, true],
    [401, true],
    [404, true],
    [302, true],
    [408, false],
    [409, false],
    [500, false],
    [503, false],
  ])('with the status %i: did nothing is %s', async (status, didNothing) => {
    const fault = await asked(await connectedTo(answering(status, '<html>4111111111111111</html>')));
    expect(fault).toBeInstanceOf(BraintreeFault);
    expect(fault).toMatchObject({ didNothing, message: `Braintree: HTTP status ${status}` });
  });

  it.each(['', '<html>', 'null', '[]', '{}', '{"data":null}'])('that has no data says nothing: %s', async (body) => {
    expect(await asked(await connectedTo(answering(200, body)))).toMatchObject({ didNothing: false });
  });

  it.each([
    ['VALIDATION', BraintreeRefusal],
    ['NOT_FOUND', BraintreeRefusal],
    ['INTERNAL', BraintreeFault],
    ['SERVICE_AVAILABILITY', BraintreeFault],
    ['RESOURCE_LIMIT', BraintreeFault],
  ])('with an error is what its class says: %s', async (errorClass, kind) => {
    expect(await asked(await connectedTo(answering(200, errorOf(errorClass))))).toBeInstanceOf(kind);
  });

  it('with a result beside an error is not known to have done nothing', async () => {
    const answer = answering(200, errorOf('VALIDATION', { ping: 'pong' }));
    expect(await asked(await connectedTo(answer))).toMatchObject({ didNothing: false });
  });

  it('cut off says nothing', async () => {
    const cut = await connectedTo((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"data":');
      setTimeout(() => response.destroy(), 20);
    });
    expect(await asked(cut)).toMatchObject({ didNothing: false });
  });
});

describe('a server that is not there', () => {
  it('has done nothing', async () => {
    const gone = await connectedTo(answering(200, ''));
    await once(server!.close(), 'close');
    expect(await asked(gone)).toMatchObject({ didNothing: true });
    await expect(gone.insist('{ ping }', {}, AbortSignal.timeout(A_SECOND))).rejects.toThrow(ProviderUnavailable);
  });
});

describe('a repeated request', () => {
  it('waits as long as it is told', async () => {
    const at: number[] = [];
    const busy = await connectedTo((_, response) => {
      at.push(performance.now());
      if (at.length === 1) response.writeHead(429, { 'retry-after': '1' }).end();
      else response.end('{"data":{"ping":"pong"}}');
    });
    await busy.insist('{ ping }', {}, AbortSignal.timeout(20_000));
    // By itself it would ask again within half a second.
    const [first = 0, second = 0] = at;
    expect(second - first).toBeGreaterThan(950);
  });

  it('that is refused after a fault may have been done before', async () => {
    const answers = [errorOf('INTERNAL'), errorOf('VALIDATION')];
    const server = await connectedTo((_, response) => void response.end(answers.shift()));
    await expect(server.insist('{ ping }', {}, AbortSignal.timeout(20_000))).rejects.toThrow('an earlier try');
  });
});
