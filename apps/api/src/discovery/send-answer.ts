import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { COMPRESSED_FROM_BYTES, compressed, encodingFor } from './accepted-encoding.js';
import { MEDIA_TYPES, written } from './answer-format.js';
import { type AnswerText, jsonOf } from './answer-text.js';
import type { DiscoveryRequest } from './discovery-request.js';
import { withPartner } from './partner-links.js';
import type { Presentation } from './presentation.js';

/** How long an answer may be shown again without asking; prices follow the stock, kinds of events hardly change. */
const FRESH_FOR_SECONDS = { stock: 10, kinds: 300 } as const;

/** `personal`: it depends on where the caller is, so that nobody else may get it. */
export type Caching = Readonly<{ freshFor: keyof typeof FRESH_FOR_SECONDS; personal?: boolean }>;

/** A request that the guard let in, and where its answer goes. */
export type Exchange = Readonly<{ request: DiscoveryRequest; reply: FastifyReply }>;

/** Writes an answer out: its tag, 304 for who has it already, its format, and compressed where that is asked for. */
export async function sendAnswer(
  { request, reply }: Exchange,
  text: AnswerText,
  presentation: Presentation,
  { freshFor, personal = false }: Caching,
): Promise<void> {
  const rest = Buffer.from(text.rest);
  const tag = tagOf(rest, presentation);
  void reply.header('etag', tag);
  void reply.header('cache-control', `${personal ? 'private' : 'public'}, max-age=${FRESH_FOR_SECONDS[freshFor]}`);
  // Basic credentials are part of what an answer is for; those of the query are in its address.
  void reply.header('vary', 'Accept-Encoding, Authorization');
  if (matches(request.headers['if-none-match'], tag)) {
    void reply.code(304).send();
    return;
  }
  const body = bodyOf(text, rest, presentation, Math.round(reply.elapsedTime));
  void reply.header('content-type', MEDIA_TYPES[presentation.format.kind]);
  const encoding = body.length < COMPRESSED_FROM_BYTES ? undefined : encodingFor(request.headers['accept-encoding']);
  if (encoding === undefined) {
    void reply.send(body);
    return;
  }
  void reply.header('content-encoding', encoding);
  void reply.send(await compressed(body, encoding));
}

/**
 * `rest` is that of the text in bytes: ten events are 40 kB, which would be encoded once more for the tag, for their length and
 * for the socket.
 */
function bodyOf(text: AnswerText, rest: Buffer, { format, partner }: Presentation, tookMs: number): Buffer {
  if (format.kind === 'json' && partner === undefined) {
    const { beforeTook } = text;
    return beforeTook === undefined ? rest : Buffer.concat([Buffer.from(`${beforeTook}${tookMs}`), rest]);
  }
  const json = jsonOf(text, tookMs);
  return Buffer.from(written(partner === undefined ? json : withPartner(json, partner), format));
}

/** Weak: `took` is left out of it, and it is the same for every encoding. */
function tagOf(rest: Buffer, { format, partner = '' }: Presentation): string {
  const documents = hash('sha1', rest, 'base64url');
  if (format.kind === 'json' && partner === '') return `W/"${documents}"`;
  const manner = format.kind === 'jsonp' ? `jsonp ${format.callback}` : format.kind;
  return `W/"${hash('sha1', `${manner}\n${partner}\n${documents}`, 'base64url')}"`;
}

/** By weak comparison (RFC 9110, section 13.1.2); base64url holds neither quotes nor commas. */
function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = tag.slice(2);
  return ifNoneMatch.split(',').some((entry) => entry.trim() === '*' || entry.trim().replace(/^W\//, '') === opaque);
}
