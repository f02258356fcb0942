import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { KeyedRateLimiter } from '#delivery-kit/keyed-rate-limiter';
import { Clock } from '#base/clock';
import { addressKey } from '#web/client-address';
import { HttpError } from '#web/http-error';

const PER_SECOND = 0.5;
// 30 downloads at once.
const BURST_SECONDS = 60;

/** How often an address may open a link: whoever has it is a stranger. */
@Injectable()
export class LinkRate {
  readonly #limiter: KeyedRateLimiter;

  constructor(clock: Clock) {
    this.#limiter = new KeyedRateLimiter(clock, BURST_SECONDS);
  }

  /** Counts one request. @param link its id, once its signature was checked @throws HttpError 42900 */
  admit(link: string, { ip }: Pick<FastifyRequest, 'ip'>): void {
    const { waitSeconds } = this.#limiter.admit(`${link} ${addressKey(ip)}`, PER_SECOND);
    if (waitSeconds > 0) throw HttpError.with(42900, undefined, { 'retry-after': String(waitSeconds) });
  }
}
