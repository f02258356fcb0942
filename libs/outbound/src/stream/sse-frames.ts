import type { StreamEnd } from '../ping-stream.contract.js';
import type { StreamedPing } from './ping-stream-reader.js';

/** The first frame has its own event type and no id, so the reader's last event id stays the same. */
export function connectedFrame({ epoch, last }: StreamEnd): Buffer {
  return Buffer.from(`: connected\nretry: 1000\nevent: epoch\ndata: ${JSON.stringify({ epoch, last })}\n\n`);
}

export const HEARTBEAT = Buffer.from(': heartbeat\n\n');

/** A heartbeat that advances a filtered reader's position, so it does not rescan skipped entries after a reconnection. */
export function heartbeatAt(position: number): Buffer {
  return Buffer.from(`: heartbeat\nid: ${position}\n\n`);
}

/** Without an event type, because EventSource calls `onmessage` only then. The JSON has no raw line breaks. */
export function framesOf(entries: readonly StreamedPing[]): Buffer {
  return Buffer.from(entries.map(({ position, json }) => `id: ${position}\ndata: ${json}\n\n`).join(''));
}
