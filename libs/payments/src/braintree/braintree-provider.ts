import type { BraintreeGateway } from 'braintree';
import {
  type CaptureRequest,
  type HeldPayment,
  PaymentProvider,
  type PaymentRequest,
  type PreparedPayment,
  type RefundRequest,
} from '../payment-provider.js';
import type { DisputeEvidence, ReceivedWebhook } from '../provider-events.js';
import { Authorisation } from './authorisation.js';
import { Changes } from './changes.js';
import { Disputes } from './disputes.js';
import { GraphqlConnection, type GraphqlOptions } from './graphql-connection.js';
import { Lists } from './lists.js';
import { Refunds } from './refunds.js';
import { Settlement } from './settlement.js';
import { Webhooks } from './webhooks.js';

/** Braintree: money over GraphQL, webhooks by its package. */
export class BraintreeProvider extends PaymentProvider {
  readonly name = 'braintree';
  readonly takesCards = true;

  readonly #authorisation: Authorisation;
  readonly #settlement: Settlement;
  readonly #refunds: Refunds;
  readonly #disputes: Disputes;
  readonly #webhooks: Webhooks;
  readonly #changes: Changes;
  readonly #lists: Lists;

  constructor(options: GraphqlOptions, gateway: Pick<BraintreeGateway, 'webhookNotification'>) {
    super();
    const connection = new GraphqlConnection(options);
    this.#authorisation = new Authorisation(connection);
    this.#settlement = new Settlement(connection);
    this.#refunds = new Refunds(connection, this.#settlement);
    this.#disputes = new Disputes(connection);
    this.#webhooks = new Webhooks(gateway, connection, options.clock);
    this.#changes = new Changes(connection, options.clock);
    this.#lists = new Lists(connection);
  }

  prepare(request: PaymentRequest, signal: AbortSignal) {
    return this.#authorisation.prepare(request, signal);
  }

  authorise(prepared: PreparedPayment, request: PaymentRequest, signal: AbortSignal) {
    return this.#authorisation.authorise(prepared, request, signal);
  }

  conclude(prepared: PreparedPayment) {
    return this.#authorisation.conclude(prepared);
  }

  find(payment: HeldPayment) {
    return this.#settlement.find(payment);
  }

  capture(request: CaptureRequest) {
    return this.#settlement.capture(request);
  }

  void(payment: HeldPayment & Readonly<{ key: string }>) {
    return this.#settlement.void(payment);
  }

  refund(request: RefundRequest) {
    return this.#refunds.refund(request);
  }

  findRefund(request: RefundRequest, reference: string | null) {
    return this.#refunds.find(request, reference);
  }

  sendEvidence(reference: string, evidence: DisputeEvidence, submit: boolean) {
    return this.#disputes.send(reference, evidence, submit);
  }

  acceptDispute(reference: string) {
    return this.#disputes.accept(reference);
  }

  readWebhook(webhook: ReceivedWebhook) {
    return this.#webhooks.read(webhook);
  }

  override events(after: string | null) {
    return this.#changes.after(after);
  }

  balanceLines(from: string, to: string) {
    return this.#lists.balanceLines(from, to);
  }
}
