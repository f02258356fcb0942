import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { COMPRESSED_FROM_BYTES, compressed, encodingFor } from './accepted-encoding.js';
import { MEDIA_TYPES, written } from './answer-format.js';
import { type AnswerText, bytesOf } from './answer-text.js';
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
  const tag = tagOf(text, presentation);
  void reply.header('etag', tag);
  void reply.header('cache-control', `${personal ? 'private' : 'public'}, max-age=${FRESH_FOR_SECONDS[freshFor]}`);
  // Basic credentials are part of what an answer is for; those of the query are in its address.
  void reply.header('vary', 'Accept-Encoding, Authorization');
  if (matches(request.headers['if-none-match'], tag)) {
    void reply.code(304).send();
    return;
  }
  const body = bodyOf(bytesOf(text, Math.round(reply.elapsedTime)), presentation);
  void reply.header('content-type', MEDIA_TYPES[presentation.format.kind]);
  const encoding = body.length < COMPRESSED_FROM_BYTES ? undefined : encodingFor(request.headers['accept-encoding']);
  if (encoding === undefined) {
    void reply.send(body);
    return;
  }
  void reply.header('content-encoding', encoding);
  void reply.send(await compressed(body, encoding));
}

function bodyOf(json: Buffer, { format, partner }: Presentation): Buffer {
  if (format.kind === 'json' && partner === undefined) return json;
  const text = json.toString();
  return Buffer.from(written(partner === undefined ? text : withPartner(text, partner), format));
}

/** Weak: `took` is left out of it, and it is the same for every encoding. */
function tagOf({ digest }: AnswerText, { format, partner = '' }: Presentation): string {
  if (format.kind === 'json' && partner === '') return `W/"${digest}"`;
  const manner = format.kind === 'jsonp' ? `jsonp ${format.callback}` : format.kind;
  return `W/"${hash('sha1', `${manner}\n${partner}\n${digest}`, 'base64url')}"`;
}

/** By weak comparison (RFC 9110, section 13.1.2); base64url holds neither quotes nor commas. */
function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = tag.slice(2);
  return ifNoneMatch.split(',').some((entry) => entry.trim() === '*' || entry.trim().replace(/^W\//, '') === opaque);
}
