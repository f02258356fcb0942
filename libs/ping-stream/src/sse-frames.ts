import type { StreamedPing, StreamEnd } from './ping-stream-reader.js';

/**
 * The first frame: it shows that the stream is open, sets the reconnection time, and sends the epoch as its own event type. It has
 * no id, so the reader's last event id stays the same.
 */
export function connectedFrame({ epoch, last }: StreamEnd): Buffer {
  return Buffer.from(`: connected\nretry: 1000\nevent: epoch\ndata: ${JSON.stringify({ epoch, last })}\n\n`);
}

export const HEARTBEAT = Buffer.from(': heartbeat\n\n');

/** A heartbeat that advances a filtered reader's position, so it does not rescan skipped entries after a reconnection. */
export function heartbeatAt(position: number): Buffer {
  return Buffer.from(`: heartbeat\nid: ${position}\n\n`);
}

/**
 * Entries as server-sent events. They have no event type, because EventSource calls `onmessage` only then. The JSON contains no
 * raw line breaks.
 */
export function framesOf(entries: readonly StreamedPing[]): Buffer {
  return Buffer.from(entries.map(({ position, json }) => `id: ${position}\ndata: ${json}\n\n`).join(''));
}
