import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyRequest } from 'fastify';

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
    if (reply.statusCode !== 200 || request.method !== 'GET' || !isFixed(path)) return done(null, payload);
    const keep = (body: Buffer) => {
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      documents.set(path, { body, type: String(reply.getHeader('content-type')), etag });
      void reply.headers({ etag, 'cache-control': 'no-cache' });
      return body;
    };
    if (typeof payload === 'string') return done(null, keep(Buffer.from(payload)));
    if (!(payload instanceof Readable)) return done(null, payload);
    // A file. The next readers need no file system.
    buffer(payload).then(
      (body) => done(null, keep(body)),
      (error: Error) => done(error),
    );
  });
}

function pathOf({ raw }: FastifyRequest): string {
  const [path = ''] = (raw.url ?? '').split('?', 1);
  return path;
}
