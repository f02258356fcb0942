import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, isPortFree } from './free-port.js';
import { Randomness } from './randomness.js';

class FixedFractions extends Randomness {
  constructor(private readonly fractions: number[]) {
    super();
  }

  bytes(): Buffer {
    throw new Error('no bytes are needed for a port');
  }

  fraction(): number {
    return this.fractions.shift() ?? 0;
  }
}

describe('a free port', () => {
  const taken = createServer();
  let takenPort: number;

  beforeAll(async () => {
    const port = await freePort();
    taken.listen(port, '127.0.0.1');
    await once(taken, 'listening');
    takenPort = (taken.address() as AddressInfo).port;
  });

  afterAll(() => void taken.close());

  it('is below the ranges from which a system gives ports to others', async () => {
    expect(await freePort('127.0.0.1', new FixedFractions([0.999_999]))).toBeLessThan(32_768);
    expect(takenPort).toBeGreaterThanOrEqual(20_000);
  });

  it('is none that somebody listens on', async () => {
    const fractionOfTaken = (takenPort - 20_000 + 0.5) / 12_000;
    expect(await freePort('127.0.0.1', new FixedFractions([fractionOfTaken, 0.5]))).not.toBe(takenPort);
    expect(await isPortFree('127.0.0.1', takenPort)).toBe(false);
  });

  it('fails for an address that is not of this machine', async () => {
    await expect(freePort('192.0.2.1')).rejects.toThrow('EADDRNOTAVAIL');
  });
});
