import { hash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { TurnQueue } from '#base/turn-queue';
import { checkoutUse } from '#web/checkout-priority';
import { COMPRESSED_FROM_BYTES, compressed, compressor, COMPRESSOR_BYTES, encodingFor } from '#web/accepted-encoding';
import { MEDIA_TYPES } from './answer-format.js';
import { answerParts, isRendered } from './answer-parts.js';
import { AnswerSlices } from './answer-slices.js';
import type { AnswerText } from './answer-text.js';
import type { DiscoveryRequest } from './discovery-request.js';
import type { Presentation } from './presentation.js';

/** The max-age of answers. Prices follow the stock; taxonomies and genres hardly change. */
const FRESH_FOR_SECONDS = { stock: 10, kinds: 300 } as const;

/** `personal`: the answer depends on the caller's place, so caches must not share it. */
export type Caching = Readonly<{ freshFor: keyof typeof FRESH_FOR_SECONDS; personal?: boolean }>;

/** An admitted request and its reply. */
export type Exchange = Readonly<{ request: DiscoveryRequest; reply: FastifyReply }>;

// Copying this much, or rendering so many documents, takes less than a millisecond.
const SENT_AT_ONCE_BYTES = 256 * 1024;
const RENDERED_AT_ONCE = 10;

// A slice takes up to half a millisecond. Without a rest long answers could take a whole processor from purchases and their database.
const REST_MS = 1;

/** Long answers of all requests share the turns of the event loop, and leave most of them to purchases while there are any. */
const turns = new TurnQueue(() => (checkoutUse.isSelling ? REST_MS : 0));

/** Sends an answer with its ETag: 304 if the client has it already, else in the requested format and encoding. */
export async function sendAnswer(
  { request, reply }: Exchange,
  text: AnswerText,
  presentation: Presentation,
  { freshFor, personal = false }: Caching,
): Promise<void> {
  const tag = tagOf(text, presentation);
  void reply.header('etag', tag);
  void reply.header('cache-control', `${personal ? 'private' : 'public'}, max-age=${FRESH_FOR_SECONDS[freshFor]}`);
  // The answer may depend on Basic credentials. Credentials in the query are part of the URL.
  void reply.header('vary', 'Accept-Encoding, Authorization');
  if (matches(request.headers['if-none-match'], tag)) {
    void reply.code(304).send();
    return;
  }
  void reply.header('content-type', MEDIA_TYPES[presentation.format.kind]);
  const parts = answerParts(text, presentation, Math.round(reply.elapsedTime));
  if (isLong(text, presentation)) return sendLong({ request, reply }, parts, text.size);
  const body = joined(parts);
  const encoding = body.length < COMPRESSED_FROM_BYTES ? undefined : encodingFor(request.headers['accept-encoding']);
  if (encoding === undefined) {
    void reply.send(body);
    return;
  }
  void reply.header('content-encoding', encoding);
  void reply.send(await compressed(body, encoding));
}

function isLong({ size, documents }: AnswerText, presentation: Presentation): boolean {
  return size > SENT_AT_ONCE_BYTES || (isRendered(presentation) && documents.length > RENDERED_AT_ONCE);
}

/** Slice by slice, as the client reads. */
function sendLong({ request, reply }: Exchange, parts: Iterable<string | Buffer>, size: number): void {
  const encoding = encodingFor(request.headers['accept-encoding']);
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  if (request.method === 'HEAD') {
    void reply.send(Readable.from([]));
    return;
  }
  request.reservation?.resize(size + (encoding === undefined ? 0 : COMPRESSOR_BYTES[encoding]));
  const slices = new AnswerSlices(parts, turns);
  // Errors end the connection; Fastify reports them.
  void reply.send(encoding === undefined ? slices : pipeline(slices, compressor(encoding), () => undefined));
}

function joined(parts: Iterable<string | Buffer>): Buffer {
  return Buffer.concat(Array.from(parts, (part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/** A weak tag: it ignores `took` and the encoding. */
function tagOf({ digest }: AnswerText, { format, partner = '' }: Presentation): string {
  if (format.kind === 'json' && partner === '') return `W/"${digest}"`;
  const manner = format.kind === 'jsonp' ? `jsonp ${format.callback}` : format.kind;
  return `W/"${hash('sha1', `${manner}\n${partner}\n${digest}`, 'base64url')}"`;
}

/** Weak comparison (RFC 9110, section 13.1.2). base64url contains neither quotes nor commas. */
function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = tag.slice(2);
  return ifNoneMatch.split(',').some((entry) => entry.trim() === '*' || entry.trim().replace(/^W\//, '') === opaque);
}
