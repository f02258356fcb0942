import { describe, expect, it } from 'vitest';
import { Sealer } from '#base/sealing';
import { SeededRandomness } from '#base/seeded-randomness';
import { isKeyed, LedgerKey, LedgerKeys } from './hash-chain.js';

const [one, other] = [new LedgerKey(Buffer.alloc(32, 1)), new LedgerKey(Buffer.alloc(32, 2))];
const PREVIOUS = Buffer.alloc(32);

describe('the key of the ledger', () => {
  it('is found by its MACs, and others are not', () => {
    const keys = new LedgerKeys([one]);
    expect(keys.of(one.event(PREVIOUS, 'text'))).toBe(one);
    expect(keys.of(one.head('text'))).toBe(one);
    expect(keys.of(other.head('text'))).toBeUndefined();
    expect(keys.of(PREVIOUS)).toBeUndefined();
    expect(keys.of(Buffer.alloc(0))).toBeUndefined();
  });

  it('makes other MACs for another text, another predecessor, another key and another use', () => {
    const macs = [
      one.event(PREVIOUS, 'text'),
      one.event(PREVIOUS, 'texts'),
      one.event(Buffer.alloc(32, 1), 'text'),
      other.event(PREVIOUS, 'text'),
      one.head('text'),
      one.event(Buffer.alloc(0), 'text'),
    ];
    expect(new Set(macs.map((mac) => mac.toString('hex'))).size).toBe(macs.length);
    expect(macs.every(isKeyed)).toBe(true);
  });

  it('checks heads', () => {
    expect(one.isHeadMac(one.head('text'), 'text')).toBe(true);
    expect(one.isHeadMac(one.head('text'), 'other')).toBe(false);
    expect(one.isHeadMac(other.head('text'), 'text')).toBe(false);
    expect(one.isHeadMac(Buffer.alloc(3), 'text')).toBe(false);
  });

  it('is derived from ENCRYPTION_KEY, and not that key', () => {
    const sealer = (byte: number) => new Sealer(Buffer.alloc(32, byte), new SeededRandomness(1));
    expect(sealer(7).ledgerSecret).toEqual(sealer(7).ledgerSecret);
    expect(sealer(7).ledgerSecret).not.toEqual(sealer(8).ledgerSecret);
    expect(sealer(7).ledgerSecret).not.toEqual(Buffer.alloc(32, 7));
  });
});
