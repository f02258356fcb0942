import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compressed, type Encoding, encodingFor } from './accepted-encoding.js';
import type { DocumentPace } from './document-pace.js';
import { pathOf } from './request-log.js';

type FixedDocument = Readonly<{
  body: Buffer;
  /** Made when first asked for. */
  encoded: Map<Encoding, Promise<Buffer>>;
  type: string;
  etag: string;
}>;

/** `isFixed` tells by the path whether an answer never changes while the process runs. */
type Keeping = Readonly<{ isFixed: (path: string) => boolean; pace: DocumentPace }>;

/** Keeps answers as bytes once they were made, also compressed, and answers 304 to a client that has them. */
export function keepFixedDocuments(fastify: FastifyInstance, { isFixed, pace }: Keeping): void {
  const documents = new Map<string, FixedDocument>();

  fastify.addHook('onRequest', (request, reply, done) => {
    const document = documents.get(pathOf(request));
    if (!document || !['GET', 'HEAD'].includes(request.method)) return done();
    if (request.headers['if-none-match']?.includes(document.etag)) {
      return void reply.code(304).headers(headersOf(document)).send();
    }
    send(document, pace, { request, reply }).catch(done);
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

async function send(
  document: FixedDocument,
  pace: DocumentPace,
  { request, reply }: Readonly<{ request: FastifyRequest; reply: FastifyReply }>,
): Promise<void> {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const body = encoding ? await encodedBody(document, encoding) : document.body;
  await pace.turn(request, body.length);
  void reply.headers(headersOf(document)).type(document.type);
  if (encoding) void reply.header('content-encoding', encoding);
  void reply.send(body);
}

function encodedBody({ body, encoded }: FixedDocument, encoding: Encoding): Promise<Buffer> {
  const made = encoded.get(encoding) ?? compressed(body, encoding);
  encoded.set(encoding, made);
  return made;
}

function headersOf({ etag }: Pick<FixedDocument, 'etag'>): Record<string, string> {
  return { etag, 'cache-control': 'no-cache', vary: 'accept-encoding' };
}

/** Undefined if the answer has no body. */
async function bytesOf(payload: unknown): Promise<Buffer | undefined> {
  if (typeof payload === 'string') return Buffer.from(payload);
  // A file. The next readers need no file system.
  return payload instanceof Readable ? await buffer(payload) : undefined;
}

function fixedDocument(body: Buffer, reply: FastifyReply): FixedDocument {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  void reply.headers(headersOf({ etag }));
  return { body, encoded: new Map(), type: String(reply.getHeader('content-type')), etag };
}
