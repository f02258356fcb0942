import type { LineEvent, OrderLine } from './order-line.contract.js';
import { importedActor, isStatusEvent, type OrderEvent } from '#domain/order-events';
import { evolve, type KnownOrder, type Order, orderFold } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import { withoutBlanks } from '#domain/tracking-number';
import { returnDue } from '#domain/payment-steps';
import type { StatusCatalogue } from '#domain/status-catalogue';
import type { RecordedEvent } from '#event-store/event';
import { chainHash, GENESIS, type LedgerKey } from '#event-store/hash-chain';
import type { AppendContext } from '#event-store/inline-projection';
import { stringifyJson } from '#base/json';
import { type ImportRules, LineRefusal } from './import-rules.js';
import { type ImportedKey, ImportSealing, isObject } from './import-sealing.js';
import { wrongMoney } from './imported-money.js';

/** An event as it is stored. */
type ImportedEvent = Readonly<{ position: number; data: string; metadata: string; hash: Buffer }> &
  Pick<LineEvent, 'event_id' | 'type' | 'recorded_at'>;

export type ImportedOrder = Readonly<{
  id: string;
  stream: string;
  events: readonly ImportedEvent[];
  /** As if one append had written it all. */
  context: AppendContext<Order, OrderEvent> & Readonly<{ after: KnownOrder }>;
  key: ImportedKey;
  tags: readonly string[];
}>;

/**
 * Makes an order of this installation from a line: sealed with a key of its own, chained anew, and begun by the event that says so.
 * @param sha256 that of the line, in hex
 * @throws LineRefusal
 */
export function importedOrder(line: OrderLine, sha256: string, rules: ImportRules): ImportedOrder {
  if (line.personal_data_masked === true) {
    throw new LineRefusal('its personal data is masked: export it with a token that has orders:reveal');
  }
  checkTimes(line.events, rules.now);
  // The import that another installation made is covered by the digest of the line.
  const skipped = line.events[0]?.type === 'OrderImported' ? 1 : 0;
  const shift = 2 - skipped;
  const past = line.events.slice(skipped);
  const sealing = new ImportSealing(line, rules, shift);
  const writing = new StreamWriting(orderStream(line.id), rules.ledgerKey);
  writing.add(importEvent({ sha256, events: past.length }, rules));
  for (const { event_id, type, recorded_at, metadata: said, data: given } of past) {
    const position = writing.events.length + 1;
    const event = { type, data: sealing.sealed(withTrackingNumber(given), position) } as OrderEvent;
    checkOrder(
      writing.order,
      event,
      rules.statusCatalogue,
      (why) => new LineRefusal(`events.${position - shift}${why}`),
    );
    writing.add({ ...event, event_id, recorded_at, metadata: { ...said, actor: importedActor(said.actor) } });
  }
  const { stream, events, recorded: appended } = writing;
  const after = checkedResult(writing.order, shift);
  const context = { stream, past: [], appended, before: orderFold.initial, after, attachments: {} };
  return { id: line.id, stream, events, context, key: sealing.keyOf(after), tags: line.tags ?? [] };
}

function importEvent(line: Readonly<{ sha256: string; events: number }>, { origin, ids, now }: ImportRules): Unplaced {
  const { job, actor } = origin;
  const metadata = { transaction_id: job, actor };
  const recorded = { event_id: ids.next('evt'), recorded_at: new Date(now).toISOString(), metadata };
  return { ...recorded, type: 'OrderImported', data: { job, actor, ...line } };
}

type Unplaced = OrderEvent & Pick<RecordedEvent, 'event_id' | 'recorded_at' | 'metadata'>;

/** Chains the events of a stream and folds them. */
class StreamWriting {
  readonly events: ImportedEvent[] = [];
  readonly recorded: RecordedEvent<OrderEvent>[] = [];
  order: Order = orderFold.initial;
  #hash: Buffer = GENESIS;

  constructor(
    readonly stream: string,
    private readonly ledgerKey: LedgerKey,
  ) {}

  add(event: Unplaced): void {
    const position = this.events.length + 1;
    const { event_id, type, recorded_at } = event;
    const stored = { position, event_id, type, recorded_at };
    const texts = { data: stringifyJson(event.data), metadata: stringifyJson(event.metadata) };
    this.#hash = chainHash(this.#hash, { stream: this.stream, ...stored, ...texts }, this.ledgerKey);
    const row = { ...event, stream: this.stream, position };
    this.order = evolve(this.order, row);
    this.recorded.push(row);
    this.events.push({ ...stored, ...texts, hash: this.#hash });
  }
}

/** The data of an event, with its tracking number as this installation writes it. */
function withTrackingNumber(data: unknown): unknown {
  if (!isObject(data) || !isObject(data['fulfillment']) || !isObject(data['fulfillment']['data'])) return data;
  const { tracking_number: number, ...others } = data['fulfillment']['data'];
  if (typeof number !== 'string') return data;
  const fulfillment = { ...data['fulfillment'], data: { ...others, tracking_number: withoutBlanks(number) } };
  return { ...data, fulfillment };
}

// The clocks of two installations differ a little.
const CLOCKS_DIFFER_MS = 60_000;

function checkTimes(events: readonly LineEvent[], now: number): void {
  const index = events.findIndex(({ recorded_at: at }) => Date.parse(at) > now + CLOCKS_DIFFER_MS);
  if (index !== -1) throw new LineRefusal(`events.${index}.recorded_at: is in the future`);
}

function checkOrder(
  order: Order,
  event: OrderEvent,
  statusCatalogue: StatusCatalogue,
  refusal: (why: string) => LineRefusal,
): void {
  if ((event.type === 'PurchaseReceived') === order.known || event.type === 'OrderImported') {
    throw refusal(': an order begins with PurchaseReceived, and has one of it');
  }
  if (!order.known) return;
  const wrong = wrongMoney(order, event);
  if (wrong !== undefined) throw refusal(`.data.${wrong}`);
  if (!isStatusEvent(event)) return;
  const [from, to] = [order.status?.status, event.data.status.status];
  if (from !== undefined && !statusCatalogue.allows(from, to)) {
    throw refusal(`: an order that is ${from} does not become ${to}`);
  }
}

function checkedResult(order: Order, shift: number): KnownOrder {
  if (!order.known) throw new LineRefusal('events: make no order');
  if (order.removed) throw new LineRefusal('it was a sample, and was removed');
  // Two installations would ask the provider about one payment.
  if (order.stage === 'awaiting_payment') throw new LineRefusal('its payment is still open');
  if (order.differenceDue && returnDue(order) > 0)
    throw new LineRefusal('a part of its payment is still to be given back');
  if (order.refunds.some(({ state }) => state === 'pending')) throw new LineRefusal('a refund is still to be made');
  const { ref_id: refId, duplicate_key: key } = order.purchase;
  const isOwn = refId === null ? key === null || key.startsWith('request:') : key === `ref:${refId}`;
  if (!isOwn) throw new LineRefusal(`events.${2 - shift}.data.duplicate_key: does not belong to the ref_id`);
  return order;
}
