import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { TICKET_FILE_TYPES } from '#domain/order-events';

/** A file that somebody else made. `label` is null if nobody named it. */
export type SentFile = Readonly<{
  ticket: Readonly<{ type: string; size: number; sha256: string; label: Readonly<{ name: string }> | null }>;
  content: Readable;
}>;

/** For the OpenAPI document. */
export const TICKET_CONTENT = Object.fromEntries(
  TICKET_FILE_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } as const }]),
);

/**
 * Sends a file that somebody else made. Browsers save it under its name, and run nothing in it. Pictures may be shown in a page of ours.
 * @param inline shows a picture instead of saving it
 */
export function sendTicket({ ticket, content }: SentFile, reply: FastifyReply, inline = false): FastifyReply {
  const { type, size, label, sha256 } = ticket;
  const isShown = inline && type.startsWith('image/');
  return reply
    .headers({
      'content-type': type,
      'content-length': size,
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; ${fileName(label?.name ?? 'ticket')}`,
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      etag: `"${sha256}"`,
    })
    .send(content);
}

/** RFC 6266: plain ASCII for old clients, and the name itself. */
function fileName(name: string): string {
  const plain = name.replaceAll(/[^\w.() -]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
}
