import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Claim, IdempotencyKeys, KeptAnswer } from '#platform/idempotency-keys';
import { errorFields, type Logger } from '#platform/logger';
import { HashedBody } from './http/hashed-body.js';
import { askedAtEnd, type KeyedRequest } from './keyed-request.js';

const KEPT_HEADERS = ['content-type', 'etag', 'location', 'retry-after'];

/** They say who may ask, or that the caller should come again. */
const NOT_KEPT = [401, 403, 429];

/** How long the answer to a request that was refused early waits for the rest of its body. */
const REST_WITHIN_MS = 2_000;

const ORDER_IDS = /\bord_[0-9a-f]{32}\b/g;

/** Keeps the answers to requests with an `Idempotency-Key` before they are sent. */
export function keepAnswers(fastify: FastifyInstance, keys: IdempotencyKeys, logger: Logger): void {
  fastify.addHook('onSend', async (request: KeyedRequest, reply, payload) => {
    const { idempotency: claim } = request;
    // The connection serves the next request once this body is read.
    if (request.body instanceof HashedBody) request.body.resume();
    if (!claim) return payload;
    delete request.idempotency;
    try {
      await keep(keys, claim, request, answerOf(reply, payload));
    } catch (error) {
      // What the route did is done. The key is free again when the lease ends.
      logger.warn(
        { transaction_id: request.id, ...errorFields(error) },
        'the answer to an Idempotency-Key is not kept',
      );
    }
    return payload;
  });
}

async function keep(
  keys: IdempotencyKeys,
  claim: Claim,
  request: KeyedRequest,
  answer: KeptAnswer | undefined,
): Promise<void> {
  if (answer === undefined) return await keys.release(claim);
  const text = await askedAtEnd(request, AbortSignal.timeout(REST_WITHIN_MS));
  if (text === undefined) return await keys.release(claim);
  await keys.keep(claim, text, answer, answer.body?.match(ORDER_IDS) ?? []);
}

/** Undefined for an answer that the next request need not get. */
function answerOf(reply: FastifyReply, payload: unknown): KeptAnswer | undefined {
  const { statusCode: status } = reply;
  if (status >= 500 || NOT_KEPT.includes(status)) return undefined;
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (!isText && payload !== undefined && payload !== null) return undefined;
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [[name, String(value)]];
  });
  return {
    status,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: isText ? payload.toString() : null,
  };
}
