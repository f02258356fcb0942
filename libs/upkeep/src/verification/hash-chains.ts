import { chainHash, GENESIS, isKeyed, type LedgerKeys } from '#event-store/hash-chain';
import type { StoredStream } from '#event-store/stream-scan';
import type { Difference } from '../differences.js';

/** The first event that differs from what was appended. All later hashes depend on it. */
export function chainBreak(stream: StoredStream, keys: LedgerKeys): Difference | undefined {
  const found = (at: number, problem: string): Difference => ({
    kind: 'hash chain',
    id: stream[0].stream,
    at,
    problem,
  });
  let previous: Buffer = GENESIS;
  for (const [index, event] of stream.entries()) {
    const { position, dataText: data, metadataText: metadata } = event;
    if (position !== index + 1) return found(index + 1, 'the event is missing');
    const { stream: name, event_id, type, recorded_at } = event;
    const stored = Buffer.from(event.hash.slice(2), 'hex');
    const key = keys.of(stored);
    if (isKeyed(stored) && !key)
      return found(position, 'the hash of the event was made with a key that is not known here');
    previous = chainHash(previous, { stream: name, position, event_id, type, recorded_at, data, metadata }, key);
    if (!previous.equals(stored)) return found(position, 'the event does not fit its hash');
  }
  return undefined;
}
