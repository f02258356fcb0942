import type { Dispatcher } from 'undici';
import { retryAfterMs } from './retry-schedule.js';

/** The beginning of an answer's body; `whole` when that is all of it. */
export type AnswerBody = Readonly<{ bytes: Buffer; whole: boolean }>;

/** Reads a body to its end, so that the connection can be used again. A longer one is cut, which closes the connection. */
export async function readBody(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<AnswerBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the body.
    if (size > maxBytes) return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), whole: false };
  }
  return { bytes: Buffer.concat(chunks), whole: true };
}

/** How long a 429 or 503 asks to be left alone by `Retry-After`; undefined for anything else. */
export function askedToWaitMs(
  { statusCode, headers }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>,
  now: number,
): number | undefined {
  const asked = statusCode === 429 || statusCode === 503 ? headers['retry-after'] : undefined;
  return typeof asked === 'string' ? retryAfterMs(asked, now) : undefined;
}

/** A text for a request that got no answer. Nothing that the other side sent is in it. */
export function connectionError(fault: unknown, timeoutMs: number): string {
  const { name, code } = fault as { name?: string; code?: unknown };
  if (name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  return `the connection failed: ${typeof code === 'string' ? code : name}`;
}
