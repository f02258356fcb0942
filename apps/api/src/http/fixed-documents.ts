import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { pathOf } from './request-log.js';

type FixedDocument = Readonly<{ body: Buffer; type: string; etag: string }>;

/**
 * Keeps answers as bytes once they were made, and answers 304 to a client that has them. `isFixed` tells by the path whether an answer
 * never changes while the process runs.
 */
export function keepFixedDocuments(fastify: FastifyInstance, isFixed: (path: string) => boolean): void {
  const documents = new Map<string, FixedDocument>();

  fastify.addHook('onRequest', (request, reply, done) => {
    const document = documents.get(pathOf(request));
    if (!document || !['GET', 'HEAD'].includes(request.method)) return done();
    void reply.headers({ 'content-type': document.type, etag: document.etag, 'cache-control': 'no-cache' });
    if (request.headers['if-none-match']?.includes(document.etag)) return reply.code(304).send();
    return reply.send(document.body);
  });

  fastify.addHook('onSend', (request, reply, payload, done) => {
    const path = pathOf(request);
    // This runs for every answer, so it makes no closure before this line.
    if (reply.statusCode !== 200 || request.method !== 'GET' || !isFixed(path)) return done(null, payload);
    bytesOf(payload).then(
      (body) => {
        if (body) documents.set(path, fixedDocument(body, reply));
        done(null, body ?? payload);
      },
      (error: Error) => done(error),
    );
  });
}

/** Undefined if the answer has no body. */
async function bytesOf(payload: unknown): Promise<Buffer | undefined> {
  if (typeof payload === 'string') return Buffer.from(payload);
  // A file. The next readers need no file system.
  return payload instanceof Readable ? await buffer(payload) : undefined;
}

function fixedDocument(body: Buffer, reply: FastifyReply): FixedDocument {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  void reply.headers({ etag, 'cache-control': 'no-cache' });
  return { body, type: String(reply.getHeader('content-type')), etag };
}
