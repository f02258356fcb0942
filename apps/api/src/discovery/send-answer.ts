import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { COMPRESSED_FROM_BYTES, compressed, encodingFor } from './accepted-encoding.js';
import { MEDIA_TYPES, render } from './answer-format.js';
import { type AnswerText, bytesOf } from './answer-text.js';
import type { DiscoveryRequest } from './discovery-request.js';
import { withPartner } from './partner-links.js';
import type { Presentation } from './presentation.js';

/** The max-age of answers. Prices follow the stock; taxonomies and genres hardly change. */
const FRESH_FOR_SECONDS = { stock: 10, kinds: 300 } as const;

/** `personal`: the answer depends on the caller's place, so caches must not share it. */
export type Caching = Readonly<{ freshFor: keyof typeof FRESH_FOR_SECONDS; personal?: boolean }>;

/** An admitted request and its reply. */
export type Exchange = Readonly<{ request: DiscoveryRequest; reply: FastifyReply }>;

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
  return Buffer.from(render(partner === undefined ? text : withPartner(text, partner), format));
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
