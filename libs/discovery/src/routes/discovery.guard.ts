import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Clock } from '#base/clock';
import { KeyedRateLimiter } from '#delivery-kit/keyed-rate-limiter';
import { Settings } from '#base/settings';
import { DiscoveryKeyUsage } from '#accounts/discovery-key-usage';
import { DiscoveryKeys, type LiveKey } from '#accounts/discovery-keys';
import { HttpError } from '#web/http-error';
import { isOwnPage } from './answer-format.js';
import { askedOf, costOf } from './answer-cost.js';
import { credentialsOf } from './credentials.js';
import type { DiscoveryRequest } from './discovery-request.js';
import { LongAnswers } from './long-answers.js';
import { parseQuery, type Query } from './query-string.js';
import type { Exchange } from './send-answer.js';

/** Shorter answers are sent at once, and a connection has only one in hand. */
const LONG_FROM = 50;
// Event documents have 2 to 8 kB. The estimate counts until the documents are read.
const BYTES_OF_DOCUMENT = 4_096;
const RETRY_AFTER = { 'retry-after': '2' };
/** Specification, "Authentication": this route needs only the public `client_id`, also of a key that has a secret. */
const WITHOUT_SECRET = '/2/recommendations';

/** Admits requests with a valid key, up to its rate limit, which counts long answers as several requests. */
@Injectable()
export class DiscoveryGuard implements CanActivate {
  readonly #limiter: KeyedRateLimiter;

  constructor(
    private readonly keys: DiscoveryKeys,
    private readonly usage: DiscoveryKeyUsage,
    private readonly longAnswers: LongAnswers,
    private readonly settings: Settings,
    clock: Clock,
  ) {
    this.#limiter = new KeyedRateLimiter(clock);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<DiscoveryRequest>();
    const query = parseQuery(request.raw.url ?? '');
    refuseOwnScript(request, query);
    const credentials = credentialsOf(query, request.headers.authorization);
    const needsSecret = request.routeOptions.url !== WITHOUT_SECRET;
    const key = credentials && (await this.keys.admit(credentials, { needsSecret }));
    if (!key) throw HttpError.with(40307);
    const reply = http.getResponse<FastifyReply>();
    const asked = askedOf(query, key.maxPerPage);
    this.#charge(key, costOf(asked), reply);
    if (asked.documents > LONG_FROM) await this.#reserve({ request, reply }, key, asked.documents);
    request.admitted = { query, maxPerPage: key.maxPerPage };
    return true;
  }

  #charge(key: LiveKey, cost: number, reply: FastifyReply): void {
    const perSecond = key.ratePerSecond ?? this.settings.DISCOVERY_RATE_PER_SECOND;
    const { waitSeconds, limit, remaining, fullAfterSeconds } = this.#limiter.admit(key.clientId, perSecond, cost);
    this.usage.count(key.clientId, { throttled: waitSeconds > 0 });
    void reply.header('ratelimit-limit', limit);
    void reply.header('ratelimit-remaining', remaining);
    void reply.header('ratelimit-reset', fullAfterSeconds);
    if (waitSeconds > 0) throw HttpError.with(42900, undefined, { 'retry-after': String(waitSeconds) });
  }

  async #reserve({ request, reply }: Exchange, { clientId }: LiveKey, documents: number): Promise<void> {
    const reservation = await this.longAnswers.reserve(clientId, documents * BYTES_OF_DOCUMENT);
    if (!reservation) throw HttpError.with(50300, 'too many long answers are not read yet', RETRY_AFTER);
    request.reservation = reservation;
    if (reply.raw.destroyed || request.raw.socket.destroyed) reservation.release();
    else reply.raw.once('close', reservation.release);
  }
}

/** JSONP is for pages of others. A page of ours must not run what an address names, even if somebody could write into it. */
function refuseOwnScript({ headers }: DiscoveryRequest, query: Query): void {
  if (query.has('callback') && isOwnPage(headers)) {
    throw HttpError.with(40001, 'callback: is for pages of other sites; pages of this one read JSON');
  }
}
