import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Clock, SystemClock } from '#base/clock';
import { RateLimiter } from '#delivery-kit/rate-limiter';
import { FaultPlan } from './fault-plan.js';
import type { ProviderDouble, ProviderFault, ProviderStep, SeededFaults, WebhookTiming } from './provider-double.js';
import { StripeBook } from './stripe/book.js';
import { Form } from './stripe/form.js';
import { type Answer, KeyStore } from './stripe/key-store.js';
import { fileForm } from './stripe/file-form.js';
import { eventObject } from './stripe/objects.js';
import type { DisputeRecord, EventRecord } from './stripe/records.js';
import { ROUTES } from './stripe/routes.js';
import { StripeDoubleError } from './stripe/stripe-error.js';
import { type SignedWebhook, WebhookOutbox } from './webhook-outbox.js';

const KEYS = { STRIPE_SECRET_KEY: 'sk_test_double', STRIPE_WEBHOOK_SECRET: 'whsec_double' };

const SERVER_ERROR = { status: 500, body: { error: { type: 'api_error', message: 'Something went wrong.' } } };
const NOT_DONE: Partial<Record<ProviderFault, Answer>> = {
  refused: {
    status: 429,
    body: { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Slow down.' } },
  },
  unauthorised: { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key.' } } },
  conflict: {
    status: 409,
    body: { error: { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'Busy.' } },
  },
  broken: SERVER_ERROR,
  'broken-saved': SERVER_ERROR,
};

type Asked = Readonly<{
  method: string;
  path: string;
  query: string;
  key: string | null;
  content: Buffer;
  type: string;
  /** The request's own id. */
  id: string;
}>;

type Carried = Readonly<{ answer: Answer; replayOf?: string }>;

/** Stripe's HTTP interface, as far as Willcall uses it, with books of its own and the faults that a test wants. */
export class StripeDouble implements ProviderDouble {
  readonly book: StripeBook;
  readonly asked: { step: ProviderStep; key: string | null }[] = [];
  /** Puts this into each error, as a careless provider would. */
  errorFields: Readonly<Record<string, unknown>> = {};
  readonly #faults = new FaultPlan();
  readonly #keys: KeyStore;
  readonly #outbox = new WebhookOutbox<EventRecord>((event) => this.sign(event));
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #requests = 0;
  #sent = 0;
  #rate: RateLimiter | undefined;

  private constructor(private readonly clock: Clock) {
    this.book = new StripeBook(clock);
    this.#keys = new KeyStore(clock);
  }

  static async start(clock: Clock = new SystemClock()): Promise<StripeDouble> {
    const double = new StripeDouble(clock);
    await once(double.#server.listen(0, '127.0.0.1'), 'listening');
    return double;
  }

  get settings() {
    const { port } = this.#server.address() as AddressInfo;
    return { ...KEYS, STRIPE_API_URL: `http://127.0.0.1:${port}` };
  }

  next(fault: ProviderFault, step?: ProviderStep): void {
    this.#faults.next(fault, step);
  }

  fail(faults: SeededFaults | undefined): void {
    this.#faults.fail(faults);
  }

  /** How many requests a second it lets through. The others are `refused`. */
  letThrough(perSecond: number): void {
    this.#rate = new RateLimiter({ perSecond, burstMs: 1_000 });
  }

  forgetKeys(): void {
    this.#keys.forget();
  }

  expire(reference: string): void {
    this.#do(() => this.book.cancel(this.book.intent(reference)));
  }

  /** `types`: what evidence of card networks it may have besides the usual. */
  openDispute(reference: string, { inquiry = false, types = [] as DisputeRecord['types'] } = {}): string {
    return this.#do(() => this.book.openDispute(this.book.intent(reference), inquiry, types).id);
  }

  closeDispute(dispute: string, state: 'won' | 'lost' | 'withdrawn'): void {
    const record = this.book.dispute(dispute);
    const withdrawn = record.status.startsWith('warning') ? 'warning_closed' : 'prevented';
    this.#do(() => this.book.closeDispute(record, state === 'withdrawn' ? withdrawn : state));
  }

  refundByHand(reference: string, amountCents: number): string {
    return this.#do(() => this.book.refund(this.book.intent(reference), amountCents, {}).id);
  }

  payOut(amountCents: number, currency = 'usd'): string {
    return this.#do(() => this.book.payOut(amountCents, currency).id);
  }

  settle(): void {
    this.#do(() => {
      for (const refund of this.book.refundRecords) if (refund.status === 'pending') this.book.failRefund(refund);
      for (const payout of this.book.payouts) if (payout.status === 'pending') this.book.arrive(payout);
    });
  }

  setBalance(cents: number): void {
    this.book.balance = cents;
  }

  sendWebhooksTo(address: string, timing: WebhookTiming): void {
    this.#outbox.sendTo(address, timing);
  }

  deliver(options?: Parameters<ProviderDouble['deliver']>[0]): Promise<readonly number[]> {
    return this.#outbox.deliver(options);
  }

  /** `at`: the time of the signature, in ms since the epoch. */
  sign(event: EventRecord, at = this.clock.now()): SignedWebhook {
    const body = JSON.stringify(eventObject(event));
    const time = Math.floor(at / 1_000);
    const signature = createHmac('sha256', KEYS.STRIPE_WEBHOOK_SECRET).update(`${time}.${body}`).digest('hex');
    return { headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` }, body };
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '', 'http://stripe');
    const content = await buffer(request);
    const key = request.headers['idempotency-key']?.toString() ?? null;
    const { method = 'GET', headers } = request;
    const id = `req_double${(this.#requests += 1)}`;
    const type = String(headers['content-type']);
    const asked = { method, path: pathname, query: search, key, content, type, id };
    const route = ROUTES.find((each) => each.method === method && each.path.test(pathname));
    if (!route || headers.authorization !== `Bearer ${KEYS.STRIPE_SECRET_KEY}`) {
      return this.#answer(response, asked, { answer: NOT_DONE.unauthorised! });
    }
    this.asked.push({ step: route.step, key });
    const fault = this.#isTooFast() ? 'refused' : this.#faults.take(route.step);
    if (fault === 'silent') return;
    if (fault === 'dropped') return void request.socket.destroy();
    if (fault === 'broken-saved') this.#keep(asked, SERVER_ERROR);
    const notDone = fault && NOT_DONE[fault];
    if (notDone) return this.#answer(response, asked, { answer: notDone });
    const carried = this.#carryOut(route, asked, fault === 'done-broken');
    await this.#tell();
    if (fault === 'done-silent') return;
    if (fault === 'done-dropped') return void request.socket.destroy();
    this.#answer(response, asked, carried);
  }

  #isTooFast(): boolean {
    const now = this.clock.monotonic();
    if (!this.#rate || this.#rate.waitMs(now) > 0) return this.#rate !== undefined;
    this.#rate.take(now);
    return false;
  }

  #carryOut(route: (typeof ROUTES)[number], asked: Asked, breaks: boolean): Carried {
    const isKeyed = asked.key !== null && asked.method === 'POST';
    try {
      const kept = isKeyed ? this.#keys.find(asked.key!, textOf(asked)) : undefined;
      if (kept) return { answer: kept.answer, replayOf: kept.request };
      const body = route.answer(this.book, formOf(asked), route.path.exec(asked.path)?.[1] ?? '');
      const answer = breaks ? SERVER_ERROR : { status: 200, body };
      if (isKeyed) this.#keep(asked, answer);
      return { answer };
    } catch (error) {
      if (!(error instanceof StripeDoubleError)) throw error;
      const answer = breaks ? SERVER_ERROR : { status: error.status, body: { error: error.fields } };
      if (isKeyed && error.isExecuted) this.#keep(asked, answer);
      return { answer };
    }
  }

  #keep(asked: Asked, answer: Answer): void {
    if (asked.key !== null) this.#keys.keep(asked.key, { asked: textOf(asked), answer, request: asked.id });
  }

  #answer(response: ServerResponse, { id }: Asked, { answer: { status, body }, replayOf }: Carried): void {
    const error = 'error' in body && { error: { ...(body.error as object), ...this.errorFields } };
    const headers = {
      'content-type': 'application/json',
      'request-id': id,
      'original-request': replayOf ?? id,
      ...(replayOf !== undefined && { 'idempotent-replayed': 'true' }),
    };
    response.writeHead(status, headers).end(JSON.stringify(error ? error : body));
  }

  #do<T>(change: () => T): T {
    const result = change();
    void this.#tell();
    return result;
  }

  /** Sends what has happened since the last time. */
  async #tell(): Promise<void> {
    const events = this.book.events.slice(this.#sent);
    this.#sent = this.book.events.length;
    await this.#outbox.add(events);
  }
}

const textOf = ({ method, path, content }: Asked): string => `${method} ${path} ${content.toString('latin1')}`;

function formOf({ query, content, type }: Asked): Form {
  if (type.startsWith('multipart/form-data')) return fileForm(content, type);
  return Form.of(content.length > 0 ? content.toString() : query.slice(1));
}
