import { hash } from 'node:crypto';

export const GENESIS = Buffer.alloc(32);

export type Link = Readonly<{
  stream: string;
  position: number;
  event_id: string;
  type: string;
  recorded_at: string;
  /** The JSON texts exactly as stored. The columns have the type json, which keeps every byte. */
  data: string;
  metadata: string;
}>;

/** SHA-256 over the previous hash and the event. No part can contain a line feed (JSON escapes it), so text cannot move between parts. */
export function chainHash(previous: Buffer, link: Link): Buffer {
  const text = `${link.stream}\n${link.position}\n${link.event_id}\n${link.type}\n${link.recorded_at}\n${link.data}\n${link.metadata}`;
  return hash('sha256', Buffer.concat([previous, Buffer.from(text)]), 'buffer');
}
