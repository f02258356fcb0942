import type { LineEvent, OrderLine } from '#contracts/backoffice/order-line';
import type { OrderSealer, Sealer } from '#crypto/sealing';
import { isStatusEvent, type OrderEvent } from '#domain/order/order-events';
import { evolve, type KnownOrder, type Order, orderFold } from '#domain/order/order-state';
import { orderStream } from '#domain/order/order-stream';
import { withoutBlanks } from '#domain/order/tracking-number';
import type { StatusCatalogue } from '#domain/order/status-catalogue';
import type { RecordedEvent } from '#event-store/event';
import { chainHash, GENESIS, type LedgerKey } from '#event-store/hash-chain';
import type { AppendContext } from '#event-store/inline-projection';
import { stringifyJson } from '#runtime/json';
import { type BuyerDigests, buyerDigests, NO_BUYER_DIGESTS } from '../commands/buyer-digests.js';
import type { CardDataPolicy } from '../commands/card-data-policy.js';
import { noteIdAt, termsIdOf } from '../commands/event-notes.js';
import { needsKey } from '../commands/personal-data-keys.projection.js';
import type { PersonalData } from '../commands/purchase-drafts.js';

/** An event as it is stored. */
export type ImportedEvent = Readonly<{ position: number; data: string; metadata: string; hash: Buffer }> &
  Pick<LineEvent, 'event_id' | 'type' | 'recorded_at'>;

export type ImportedOrder = Readonly<{
  id: string;
  stream: string;
  events: readonly ImportedEvent[];
  /** As if one append had written it all. */
  context: AppendContext<Order, OrderEvent> & Readonly<{ after: KnownOrder }>;
  /** Null if nothing of it is sealed. */
  key: Readonly<{ key: Buffer; digests: BuyerDigests }> | null;
  tags: readonly string[];
}>;

/** Why a line is not imported, in words for the person who imports it. */
export class LineRefusal extends Error {}

export type ImportRules = Readonly<{
  sealer: Sealer;
  ledgerKey: LedgerKey;
  catalogue: StatusCatalogue;
  cards: Pick<CardDataPolicy, 'refuses' | 'storable'>;
  /** Milliseconds. Later events are refused. */
  now: number;
}>;

/** Makes an order of this installation from a line: sealed with a key of its own, and chained anew. @throws LineRefusal */
export function importedOrder(line: OrderLine, rules: ImportRules): ImportedOrder {
  if (line.personal_data_masked === true) {
    throw new LineRefusal('its personal data is masked: export it with a token that has orders:reveal');
  }
  checkTimes(line.events, rules.now);
  const sealing = new Sealing(line, rules);
  const stream = orderStream(line.id);
  const recorded: RecordedEvent<OrderEvent>[] = [];
  const events: ImportedEvent[] = [];
  let hash: Buffer = GENESIS;
  let order: Order = orderFold.initial;
  for (const [index, { event_id, type, recorded_at, metadata, data: given }] of line.events.entries()) {
    const position = index + 1;
    const event = { type, data: sealing.sealed(withTrackingNumber(given), position) } as OrderEvent;
    checkOrder(order, event, position, rules.catalogue);
    const [data, metadataText] = [stringifyJson(event.data), stringifyJson(metadata)];
    hash = chainHash(
      hash,
      { stream, position, event_id, type, recorded_at, data, metadata: metadataText },
      rules.ledgerKey,
    );
    const row = { ...event, stream, position, event_id, metadata, recorded_at };
    order = evolve(order, row);
    recorded.push(row);
    events.push({ position, event_id, type, recorded_at, data, metadata: metadataText, hash });
  }
  const after = checkedResult(order);
  const context = {
    stream,
    past: [],
    appended: recorded,
    before: orderFold.initial,
    after,
    attachments: {},
  };
  return { id: line.id, stream, events, context, key: sealing.keyOf(after), tags: line.tags ?? [] };
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

function checkOrder(order: Order, event: OrderEvent, position: number, catalogue: StatusCatalogue): void {
  const refuse = (why: string) => new LineRefusal(`events.${position - 1}: ${why}`);
  if ((event.type === 'PurchaseReceived') !== (position === 1)) {
    throw refuse('an order begins with PurchaseReceived, and has one of it');
  }
  if (!order.known || !isStatusEvent(event)) return;
  const [from, to] = [order.status?.status, event.data.status.status];
  if (from !== undefined && !catalogue.allows(from, to)) throw refuse(`an order that is ${from} does not become ${to}`);
}

function checkedResult(order: Order): KnownOrder {
  if (!order.known) throw new LineRefusal('events: make no order');
  // Two installations would ask the provider about one payment.
  if (order.stage === 'awaiting_payment') throw new LineRefusal('its payment is still open');
  if (order.deadline?.for === 'price_difference')
    throw new LineRefusal('a part of its payment is still to be given back');
  const { ref_id: refId, duplicate_key: key } = order.purchase;
  const isOwn = refId === null ? key === null || key.startsWith('request:') : key === `ref:${refId}`;
  if (!isOwn) throw new LineRefusal('events.0.data.duplicate_key: does not belong to the ref_id');
  return order;
}

/** Where people and markets write what they like. */
const FREE_FIELDS = ['note', 'terms', 'market_specific_fields'];

/** Seals what stands in clear in a line under one key, which the order gets here. */
class Sealing {
  readonly #erasedAt: number;
  #key: Buffer | undefined;
  #sealer: OrderSealer | undefined;
  #buyer: PersonalData | undefined;

  constructor(
    private readonly line: OrderLine,
    private readonly rules: ImportRules,
  ) {
    this.#erasedAt = line.events.findLastIndex(({ type }) => type === 'PersonalDataErased') + 1;
  }

  /** The data of an event as it is stored. */
  sealed(given: unknown, position: number): object {
    const data = { ...(given as Record<string, unknown>) };
    for (const field of FREE_FIELDS) {
      if (field in data) data[field] = this.admitted(data[field], position, field);
    }
    const { personal } = data;
    if (isObject(personal)) {
      const { market_specific_fields: fields } = personal as PersonalData;
      const admitted = fields && this.admitted(fields, position, 'personal.market_specific_fields');
      this.#buyer = { ...(personal as PersonalData), ...(admitted && { market_specific_fields: admitted }) };
      data['personal'] = this.sealer.personal(this.#buyer).toString('base64');
    } else if (personal !== null) this.checkErased(personal, position, 'personal');
    this.sealText(data, 'sealed_note', position, noteIdAt(position));
    this.sealText(data, 'sealed_terms', position, termsIdOf({ expires_at: String(data['expires_at']) }));
    return data;
  }

  private sealText(data: Record<string, unknown>, field: string, position: number, id: string): void {
    const given = data[field];
    if (!isObject(given)) return this.checkErased(given, position, field);
    const text = this.admitted((given as { text: string }).text, position, field);
    data[field] = this.sealer.note(id, text).toString('base64');
  }

  keyOf(order: KnownOrder): ImportedOrder['key'] {
    if (!needsKey(order)) return null;
    const { sealer } = this.rules;
    return {
      key: this.key,
      digests: this.#buyer && !order.personalDataErased ? buyerDigests(sealer, this.#buyer) : NO_BUYER_DIGESTS,
    };
  }

  /** What is sealed already opens nowhere, which is right only for what was erased. */
  private checkErased(value: unknown, position: number, field: string): void {
    if (value === undefined || position < this.#erasedAt) return;
    throw new LineRefusal(`events.${position - 1}.data.${field}: is sealed with the key of another installation`);
  }

  private admitted<T>(value: T, position: number, field: string): T {
    const { cards } = this.rules;
    if (!cards.refuses(value)) return cards.storable(value);
    throw new LineRefusal(`events.${position - 1}.data.${field}: must not contain a card number or a security code`);
  }

  private get sealer(): OrderSealer {
    return (this.#sealer ??= this.rules.sealer.orderSealer(this.line.id, this.key));
  }

  /** It says itself which ENCRYPTION_KEY it belongs to. */
  private get key(): Buffer {
    return (this.#key ??= this.rules.sealer.newNamedOrderKey());
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
