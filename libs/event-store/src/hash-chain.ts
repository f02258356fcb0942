import { hash } from 'node:crypto';

/** The hash before the first event of a stream. */
export const GENESIS = Buffer.alloc(32);

export type Link = Readonly<{
  stream: string;
  position: number;
  event_id: string;
  type: string;
  recorded_at: string;
  /** The JSON texts as they are written: `events.data` and `events.metadata` are of type json, which keeps every byte. */
  data: string;
  metadata: string;
}>;

/**
 * SHA-256 over the previous hash and the event. No part can hold a line feed (JSON escapes it), so the parts cannot
 * be shifted against each other. A changed, exchanged or missing event breaks every hash after it.
 */
export function chainHash(previous: Buffer, link: Link): Buffer {
  const text = `${link.stream}\n${link.position}\n${link.event_id}\n${link.type}\n${link.recorded_at}\n${link.data}\n${link.metadata}`;
  return hash('sha256', Buffer.concat([previous, Buffer.from(text)]), 'buffer');
}
