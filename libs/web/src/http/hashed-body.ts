import type { IncomingMessage } from 'node:http';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { type BodyHash, bodyHash } from './body-hash.js';

/** A streamed body that is hashed while a route reads it. */
export class HashedBody extends Transform {
  readonly #hash: BodyHash;

  constructor(source: IncomingMessage) {
    super();
    this.#hash = bodyHash(source.headers['content-type']);
    source.once('close', () => {
      if (!source.readableEnded) this.destroy();
    });
    source.pipe(this);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    done(null, chunk);
  }

  /** Discards what the route has not read. Undefined if the body breaks off, or does not end in time. */
  async digest(signal?: AbortSignal): Promise<string | undefined> {
    this.resume();
    try {
      await finished(this, { readable: false, ...(signal && { signal }) });
      return this.#hash.digest();
    } catch {
      return undefined;
    }
  }
}

/** A body that a route reads as a stream. It is hashed on its way if the request has an `Idempotency-Key`. */
export function streamedBody({ headers }: FastifyRequest, payload: IncomingMessage): Readable {
  return headers['idempotency-key'] === undefined ? payload : new HashedBody(payload);
}
