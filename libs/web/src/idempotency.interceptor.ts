import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type Observable, of } from 'rxjs';
import { type Claimed, IdempotencyKeys } from '#platform/idempotency-keys';
import { HttpError } from './http-error.js';
import { withLongUpload } from './long-upload.js';
import { askedAtEnd, askedSoFar, idempotencyKeyOf, type KeyedRequest } from './keyed-request.js';

type Answered = Extract<Claimed, { is: 'answered' }>;

/** Runs after the guards. The first request with a key goes on, and `keepAnswers` keeps its answer; a later one gets that answer. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly keys: IdempotencyKeys) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<KeyedRequest>();
    const key = idempotencyKeyOf(request);
    if (key === undefined) return next.handle();
    const claimed = await this.keys.claim({
      // Whoever accepts an invitation is nobody yet.
      caller: request.caller?.actor ?? `address:${request.ip}`,
      key,
      text: askedSoFar(request),
      orderId: orderIdOf(request),
    });
    switch (claimed.is) {
      case 'claimed':
        request.idempotency = claimed.claim;
        return next.handle();
      case 'running':
        throw HttpError.with(40907, undefined, { 'retry-after': '1' });
      case 'other request':
        throw HttpError.with(42202);
      case 'erased':
        throw HttpError.with(40902, 'the first answer was erased with the data of a buyer');
      case 'answered':
        return of(await this.repeated(claimed, request, context.switchToHttp().getResponse<FastifyReply>()));
    }
  }

  private async repeated({ answer, isOf }: Answered, request: KeyedRequest, reply: FastifyReply): Promise<unknown> {
    const text = await withLongUpload(request, () => askedAtEnd(request));
    if (text === undefined) throw HttpError.with(40000, 'the upload broke off');
    if (!isOf(text)) throw HttpError.with(42202);
    void reply.status(answer.status).headers({ ...answer.headers, 'idempotent-replay': 'true' });
    return answer.body ?? undefined;
  }
}

/** Of `orders/:id` and the routes below it. */
function orderIdOf({ routeOptions, params }: KeyedRequest): string | undefined {
  if (!/^\/backoffice\/v1\/orders\/:id(?:\/|$)/.test(routeOptions.url ?? '')) return undefined;
  return (params as Record<string, string>)['id'];
}
