import { chainHash, GENESIS } from '#event-store/hash-chain';
import type { StoredStream } from '#event-store/stream-scan';
import type { Difference } from './differences.js';

/** The first event that differs from what was appended. All later hashes depend on it. */
export function chainBreak(stream: StoredStream): Difference | undefined {
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
    previous = chainHash(previous, { stream: name, position, event_id, type, recorded_at, data, metadata });
    if (event.hash !== `\\x${previous.toString('hex')}`) return found(position, 'the event does not fit its hash');
  }
  return undefined;
}
