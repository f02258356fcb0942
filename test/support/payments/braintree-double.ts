import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { graphql } from 'graphql';
import { type Clock, SystemClock } from '#base/clock';
import { BraintreeBook } from './braintree/braintree-book.js';
import { Mutations } from './braintree/mutations.js';
import { Queries } from './braintree/queries.js';
import { type DisputeRecord, enter, type PaymentRecord } from './braintree/records.js';
import { SCHEMA } from './braintree/schema.js';
import { disputeEvent, refundFailedEvent, signed, type WebhookEvent } from './braintree/webhook.js';
import { FaultPlan } from './fault-plan.js';
import type { ProviderDouble, ProviderFault, ProviderStep, SeededFaults, WebhookTiming } from './provider-double.js';
import { WebhookOutbox } from './webhook-outbox.js';

type Variables = Readonly<Record<string, unknown>> & Readonly<{ input?: Readonly<{ apiRequestKey?: string }> }>;
type Operation = Readonly<{ query: string; variables: Variables; file?: File }>;

const KEYS = { publicKey: 'public-key', privateKey: 'private-key' };

const STEPS: readonly (readonly [mutation: string, step: ProviderStep])[] = [
  ['tokenizeCreditCard', 'prepare'],
  ['authorizePaymentMethod', 'authorise'],
  ['captureTransaction', 'capture'],
  ['reverseTransaction', 'void'],
  ['refundTransaction', 'refund'],
  ['createDisputeFileEvidence', 'upload'],
  ['createDisputeTextEvidence', 'evidence'],
  ['finalizeDispute', 'evidence'],
  ['acceptDispute', 'accept'],
];

/** Braintree's GraphQL interface with a book of its own. */
export class BraintreeDouble implements ProviderDouble {
  readonly book: BraintreeBook;
  readonly asked: { step: ProviderStep; key: string | null }[] = [];
  readonly #mutations: Mutations;
  readonly #queries: Queries;
  readonly #faults = new FaultPlan();
  readonly #outbox = new WebhookOutbox<WebhookEvent>((event) => signed(event, KEYS));
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #events: WebhookEvent[] = [];
  #failing = new Set<string>();
  #settlesAfterRead = false;

  private constructor(clock: Clock, currency: string) {
    this.book = new BraintreeBook(clock, currency);
    this.#mutations = new Mutations(this.book, (dispute) => this.#tell(dispute));
    this.#queries = new Queries(this.book);
  }

  static async start({
    clock = new SystemClock(),
    currency = 'USD',
  }: Readonly<{ clock?: Clock; currency?: string }> = {}): Promise<BraintreeDouble> {
    const double = new BraintreeDouble(clock, currency);
    await once(double.#server.listen(0, '127.0.0.1'), 'listening');
    return double;
  }

  get settings() {
    const { port } = this.#server.address() as AddressInfo;
    return {
      PAYMENT_PROVIDER: 'braintree',
      BRAINTREE_MERCHANT_ID: 'merchant',
      BRAINTREE_PUBLIC_KEY: KEYS.publicKey,
      BRAINTREE_PRIVATE_KEY: KEYS.privateKey,
      BRAINTREE_API_URL: `http://127.0.0.1:${port}/graphql`,
    };
  }

  next(fault: ProviderFault, step?: ProviderStep): void {
    this.#faults.next(fault, step);
  }

  fail(faults: SeededFaults | undefined): void {
    this.#faults.fail(faults);
  }

  forgetKeys(): void {
    this.#mutations.keys.clear();
  }

  /** The next searches find nothing, as if their index were behind. */
  holdBackSearches(count: number): void {
    this.#queries.emptySearches = count;
  }

  expire(reference: string): void {
    enter(this.book.transaction(reference), 'AUTHORIZATION_EXPIRED', this.book.now());
  }

  openDispute(reference: string, { inquiry = false }: Readonly<{ inquiry?: boolean }> = {}): string {
    const dispute = this.book.addDispute(this.book.transaction(reference), inquiry ? 'RETRIEVAL' : 'CHARGEBACK');
    this.#tell(dispute);
    void this.#flush();
    return dispute.id;
  }

  /** Braintree knows no withdrawal: an inquiry expires. */
  closeDispute(id: string, state: 'won' | 'lost' | 'withdrawn'): void {
    const dispute = this.book.dispute(id);
    this.book.enterDispute(dispute, { won: 'WON', lost: 'LOST', withdrawn: 'EXPIRED' }[state]);
    this.#tell(dispute);
    void this.#flush();
  }

  /** Before the settlement, staff can only void there. */
  refundByHand(reference: string, amountCents: number): string {
    const transaction = this.book.transaction(reference);
    if (transaction.status === 'SETTLED') {
      return this.book.addRefund(transaction, amountCents, transaction.orderId).id;
    }
    enter(transaction, 'VOIDED', this.book.now());
    return `void:${reference}`;
  }

  /** The next settlement fails this refund. */
  failRefund(reference: string): void {
    this.#failing.add(reference);
  }

  /** Payments that are being settled can be neither voided nor refunded. */
  startSettling(): void {
    for (const transaction of this.book.transactions) {
      if (transaction.status === 'SUBMITTED_FOR_SETTLEMENT') enter(transaction, 'SETTLING', this.book.now());
    }
  }

  settle(): void {
    const isOpen = ({ status }: PaymentRecord) => status === 'SUBMITTED_FOR_SETTLEMENT' || status === 'SETTLING';
    for (const transaction of this.book.transactions.filter(isOpen)) enter(transaction, 'SETTLED', this.book.now());
    for (const refund of this.book.refundRecords.filter(isOpen)) {
      const fails = this.#failing.delete(refund.id);
      enter(refund, fails ? 'FAILED' : 'SETTLED', this.book.now());
      if (fails) this.#events.push(refundFailedEvent(refund, this.book.now()));
    }
    void this.#flush();
  }

  /** The settlement comes between the next question and what it leads to. */
  settleAfterRead(): void {
    this.#settlesAfterRead = true;
  }

  /** Braintree refunds whatever it owes. */
  setBalance(): void {}

  sendWebhooksTo(address: string, timing: WebhookTiming): void {
    this.#outbox.sendTo(address, timing);
  }

  deliver(options?: Readonly<{ twice?: boolean; reversed?: boolean }>): Promise<readonly number[]> {
    return this.#outbox.deliver(options);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #tell(dispute: DisputeRecord): void {
    this.#events.push(disputeEvent(dispute, this.book.now()));
  }

  async #flush(): Promise<void> {
    await this.#outbox.add(this.#events.splice(0));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = await operationOf(request);
    const step = STEPS.find(([mutation]) => operation.query.includes(`${mutation}(`))?.[1] ?? 'read';
    const key = operation.variables.input?.apiRequestKey ?? null;
    this.asked.push({ step, key });
    const fault = isSignedIn(request) ? this.#faults.take(step) : 'unauthorised';
    if (fault === 'broken-saved' && key !== null) this.#mutations.keys.spoil(key);
    const result = fault === undefined || fault.startsWith('done-') ? await this.#execute(operation) : undefined;
    if (fault === 'silent' || fault === 'done-silent') return;
    if (fault === 'dropped' || fault === 'done-dropped') return void request.socket.destroy();
    const answer = fault === undefined ? result : failure(fault, operation.query);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  async #execute({ query, variables, file }: Operation): Promise<object> {
    const isMutation = /^\s*mutation/.test(query);
    const rootValue = isMutation ? this.#mutations : this.#queries;
    const { file: _, ...variableValues } = variables;
    const { data, errors } = await graphql({
      schema: SCHEMA,
      source: query,
      rootValue,
      variableValues,
      contextValue: { file },
    });
    if (isMutation) await this.#flush();
    else if (this.#settlesAfterRead) {
      this.#settlesAfterRead = false;
      this.settle();
    }
    return { ...(data && { data }), ...(errors && { errors }), extensions: { requestId: this.book.newId() } };
  }
}

const isSignedIn = ({ headers }: IncomingMessage): boolean =>
  headers.authorization === `Basic ${Buffer.from(`${KEYS.publicKey}:${KEYS.privateKey}`).toString('base64')}`;

async function operationOf(request: IncomingMessage): Promise<Operation> {
  const bytes = await buffer(request);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) return JSON.parse(bytes.toString()) as Operation;
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  const operations = form.get('operations');
  const text = typeof operations === 'string' ? operations : ((await operations?.text()) ?? '');
  return { ...(JSON.parse(text) as Operation), file: form.get('file') as File };
}

const CLASSES: Readonly<Partial<Record<ProviderFault, string>>> = {
  refused: 'RESOURCE_LIMIT',
  unauthorised: 'AUTHENTICATION',
};

/** Braintree answers with the status 200, whatever went wrong. */
function failure(fault: ProviderFault, query: string): object {
  const field = /\{\s*(\w+)/.exec(query)?.[1] ?? 'search';
  const extensions =
    fault === 'conflict'
      ? { errorClass: 'VALIDATION', inputPath: ['input', 'apiRequestKey'] }
      : { errorClass: CLASSES[fault] ?? 'INTERNAL' };
  return { data: { [field]: null }, errors: [{ message: 'A text of Braintree.', extensions }] };
}
