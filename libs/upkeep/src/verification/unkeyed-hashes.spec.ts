import { describe, expect, it } from 'vitest';
import { GENESIS, LedgerKey } from '#event-store/hash-chain';
import { parseJson, stringifyJson } from '#base/json';
import { Differences } from '../differences.js';
import { UnkeyedHashes, type UnkeyedProgress } from './unkeyed-hashes.js';

const START = Date.parse('2026-11-22T10:00:00Z');
const MINUTE = 60_000;
const KEYED = new LedgerKey(Buffer.alloc(32, 1)).event(GENESIS, 'an event');

/** Checks events at these minutes, each by a verification that was resumed; a keyed one is marked with `k`. Returns what is found, and how many count as old. */
function checked(...events: readonly string[]): { found: string[]; old: number } {
  const differences = new Differences();
  let hashes = new UnkeyedHashes(differences);
  for (const [index, event] of events.entries()) {
    const recorded_at = new Date(START + Number.parseInt(event, 10) * MINUTE);
    const hash = event.endsWith('k') ? KEYED : GENESIS;
    hashes = new UnkeyedHashes(differences, parseJson(stringifyJson(hashes.progress)) as UnkeyedProgress);
    hashes.check({ position: index + 1, stream: `order-${index + 1}`, stream_position: 1, hash, recorded_at });
  }
  return { found: differences.all.differences.map(({ id }) => id), old: hashes.count };
}

describe('an event without a keyed hash', () => {
  it('is sound in a log of an earlier release, and before the first keyed one', () => {
    expect(checked('0', '1', '2')).toEqual({ found: [], old: 3 });
    expect(checked('0', '1', '2k', '3k')).toEqual({ found: [], old: 2 });
  });

  it('is found in a log that always had keyed ones', () => {
    expect(checked('0k', '1', '2k')).toEqual({ found: ['order-2'], old: 0 });
  });

  it('is sound for an hour after the upgrade, and found after it, whatever time it claims', () => {
    expect(checked('0', '1k', '2', '60k', '60')).toEqual({ found: [], old: 3 });
    expect(checked('0', '1k', '61k', '2')).toEqual({ found: ['order-4'], old: 1 });
  });
});
