import type { StreamedPing, StreamEnd } from './ping-stream-reader.js';

/**
 * The first that a reader gets: it shows that the stream is open, says after how long to come back when it breaks off, and tells
 * the epoch by an event of its own, which leaves the last event id as it is.
 */
export function helloOf({ epoch, last }: StreamEnd): Buffer {
  return Buffer.from(`: connected\nretry: 1000\nevent: epoch\ndata: ${JSON.stringify({ epoch, last })}\n\n`);
}

export const HEARTBEAT = Buffer.from(': heartbeat\n\n');

/** A heartbeat for who has been spared entries by a filter: after a reconnection they need not be gone through again. */
export function heartbeatAt(position: number): Buffer {
  return Buffer.from(`: heartbeat\nid: ${position}\n\n`);
}

/**
 * Entries as server-sent events, without a type: `onmessage` of an EventSource hears no others. JSON has no line breaks outside its strings
 * and none that are not escaped in them.
 */
export function framesOf(entries: readonly StreamedPing[]): Buffer {
  return Buffer.from(entries.map(({ position, json }) => `id: ${position}\ndata: ${json}\n\n`).join(''));
}
