import type { Dispatcher } from 'undici';
import { retryAfterMs } from './retry-schedule.js';

/** The start of the body. `whole` is true if nothing was cut off. */
export type ResponseBody = Readonly<{ bytes: Buffer; whole: boolean }>;

/** Reads to the end, so the connection can be reused. Cutting off a longer body closes the connection. */
export async function readBody(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<ResponseBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), whole: false };
  }
  return { bytes: Buffer.concat(chunks), whole: true };
}

/** The start of a body as text, to be stored: PostgreSQL has no NUL. Null if it is empty. */
export function startOf({ bytes }: Pick<ResponseBody, 'bytes'>, maxBytes: number): string | null {
  return bytes.subarray(0, maxBytes).toString().replaceAll('\0', '') || null;
}

/** The wait that a 429 or 503 requests by `Retry-After`, in milliseconds. */
export function requestedWaitMs(
  { statusCode, headers }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>,
  now: number,
): number | undefined {
  const header = statusCode === 429 || statusCode === 503 ? headers['retry-after'] : undefined;
  return typeof header === 'string' ? retryAfterMs(header, now) : undefined;
}

/** Contains nothing that the receiver sent. */
export function connectionError(error: unknown, timeoutMs: number): string {
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  return `the connection failed: ${typeof code === 'string' ? code : name}`;
}
