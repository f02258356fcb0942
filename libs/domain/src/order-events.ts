import { CHOICE_EVENTS, type ChoiceEvent } from './choice-events.js';
import { DELIVERY_EVENTS, type DeliveryEvent } from './delivery-events.js';
import type { Noted } from './noted.js';
import { PAYMENT_EVENTS, type PaymentEvent, type PurchaseParts } from './payment-events.js';
import type { DeliveryForm } from './pricing.js';
import type { Status, StatusValue } from './status.js';

/** The stored part of a payment. It never has the card number or the CVV. */
export type PaymentSummary = Readonly<{
  type: 'creditcard' | 'providera_token' | 'providerb_token';
  brand: string | null;
  last_four: string | null;
  expiry_month: number | null;
  expiry_year: number | null;
}>;

export type Fulfillment =
  | Readonly<{ type: 'ship'; data: Readonly<{ carrier: string; tracking_number: string }> }>
  | Readonly<{ type: 'download'; data: Readonly<{ url: string }> }>;

export const DENIAL_REASONS = [
  'not_available',
  'denied',
  'price_error',
  'duplicate',
  'other',
  'fraud',
  'event_cancelled',
] as const;
export type DenialReason = (typeof DENIAL_REASONS)[number];

export type NamedRule = Readonly<{ id: string; name: string }>;

/** A policy whose condition the purchase meets. It answers in place of the broker, if the order comes to wait for one. */
export type MatchingPolicy = NamedRule &
  (Readonly<{ action: 'accept' }> | Readonly<{ action: 'deny'; reason: DenialReason }>);

/** What the fraud rules say about a purchase. */
export type FraudVerdict = Readonly<{
  /** `rejected`: by a rule that rejects. */
  verdict: 'held' | 'passed' | 'rejected';
  /** The sum of the scores of the rules that fired. */
  score: number;
  rules: readonly (NamedRule & Readonly<{ score: number; action?: 'reject' }>)[];
  /** What the conditions of the rules read, without data of the buyer; amounts in dollars. Null: unknown. */
  facts: Readonly<Record<string, string | number | boolean | readonly string[] | null>>;
}>;

/** What an order has of the listing that it is sold from, as the listing was then. */
export type SoldFrom = Readonly<{
  /** Which of the seats that the listing names. Missing if it names too few, and in events of versions before seats. */
  seats?: readonly string[];
  /** The seller's own id of the listing. Missing if it had none. */
  external_id?: string;
  /** The seller did not have the tickets yet. */
  speculative?: true;
}>;

/** Listing, quantity and total agree. Amounts are US cents. */
export type ReceivedPurchase = Readonly<{
  client_id: string;
  variant: 'payment' | 'wholesale';
  product: Readonly<{ event_id: string; listing_id: string; quantity: number }> & SoldFrom;
  /** The version of the listing that set the price. The stock comes from that version only. */
  listing_version: number;
  total_cents: number;
  /** Of what a buyer pays here. Missing without a payment, and in purchases of versions before captures. */
  parts?: PurchaseParts;
  /** ISO 4217. Missing in purchases of versions before captures, which are in USD. */
  currency?: string;
  /** When the payment is taken. Missing without a payment, and in purchases of versions before captures, which took it at once. */
  capture?: 'confirmation' | 'delivery';
  delivery_method: string;
  /** Missing for the first form of the delivery method, and in purchases of versions before forms. */
  delivery_form?: DeliveryForm;
  ref_id: string | null;
  /** A second purchase with this key is a duplicate. Null when the purchase has no such key. */
  duplicate_key: string | null;
  trusted: boolean;
  hold_for_review: boolean;
  confirmation: 'automatic' | 'manual';
  confirm_within_minutes: number | null;
  payment: PaymentSummary | null;
  /** Only in purchases of versions before they were sealed with the buyer's data. Null in newer ones. */
  market_specific_fields: Readonly<Record<string, unknown>> | null;
  /** They are in `personal`. */
  market_specific_fields_sealed?: true;
  /** The `ref_id` looks like a card number. It is stored anyway, because the platform gets it back byte for byte. */
  card_data_in_ref_id?: true;
  /** Missing if no policy was met, and in purchases of versions before policies. */
  policy?: MatchingPolicy;
  /** The listing's seller. Missing if it had none, and in purchases of versions before sellers. */
  seller?: string;
  /** The buyer's data and the market's own fields, encrypted with the order's own key, base64. Null without any. */
  personal: string | null;
}>;

/** `policy`: the policy that set the status in place of the broker. */
type StatusChanged = Noted & Readonly<{ status: Status; policy?: NamedRule }>;

export type ProposedTickets = SoldFrom &
  Readonly<{
    event_id: string;
    listing_id: string;
    /** The stock comes from this version of the listing only. */
    listing_version: number;
    quantity: number;
    seller?: string;
    /** How the order is delivered once the buyer accepts. Missing as in a purchase. */
    delivery_form?: DeliveryForm;
    /** What the buyer was told, only in offers of versions before `sealed_terms`. */
    terms: string | null;
    /** The same, encrypted with the order's own key, base64. */
    sealed_terms?: string;
    /** ISO 8601. */
    expires_at: string;
    /**
     * How much more these tickets cost than the buyer has paid, in US cents. Less than 0: it is given back once the buyer accepts. Missing if
     * nobody paid here, and in offers of versions before price differences.
     */
    difference_cents?: number;
    /** What they would have cost the buyer. Missing if nobody paid here, and in offers of versions before captures. */
    parts?: PurchaseParts;
  }>;

/** Each one adds one entry to `status_history` and one ping. */
export type StatusEvent =
  | { type: 'OrderPending'; data: StatusChanged }
  | { type: 'OrderHeldForReview'; data: StatusChanged }
  | { type: 'OrderConfirmed'; data: StatusChanged }
  | { type: 'TicketsShipped'; data: StatusChanged & { readonly fulfillment?: Fulfillment } }
  | { type: 'TicketsDelivered'; data: StatusChanged & { readonly fulfillment?: Fulfillment } }
  | { type: 'ReplacementOffered'; data: StatusChanged }
  | { type: 'ReplacementAccepted'; data: StatusChanged }
  | { type: 'ReplacementRejected'; data: StatusChanged }
  /** `reason` is missing if the order was not denied by a broker or a policy, and in rejections of versions before denials. */
  | { type: 'OrderRejected'; data: StatusChanged & { readonly reason?: DenialReason } }
  | { type: 'OrderExceptionRaised'; data: StatusChanged };

export type StatusEventType = StatusEvent['type'];

/** What a file of tickets is, by its content. */
export const TICKET_FILE_TYPES = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'application/vnd.apple.pkpass',
] as const;
export type TicketFileType = (typeof TICKET_FILE_TYPES)[number];

/**
 * `size` is in bytes, `sha256` in hex. Name, seat as typed and barcode are sealed in a table, because a barcode opens the gate. `seat`: the
 * seat of the order that the file is for; missing if it is for all, and in events of versions before seats; null if the order has none of
 * this name.
 */
export type TicketFile = Readonly<{
  id: string;
  type: TicketFileType;
  size: number;
  sha256: string;
  seat?: string | null;
}>;

/** `job` imported the line with this `sha256` (in hex) for `actor`. `events`: how many of the next events are what the line said. */
type Imported = Readonly<{ job: string; actor: string; sha256: string; events: number }>;

/** A released type never changes its meaning: a new shape needs a new type. */
export type OrderEvent =
  | { type: 'OrderImported'; data: Imported }
  | { type: 'PurchaseReceived'; data: ReceivedPurchase }
  | { type: 'FraudScreened'; data: FraudVerdict }
  | PaymentEvent
  | StatusEvent
  | { type: 'ReplacementProposed'; data: Noted & ProposedTickets }
  | { type: 'ReplacementLapsed'; data: Readonly<Record<string, never>> }
  | { type: 'FulfillmentCorrected'; data: Noted & Readonly<{ fulfillment: Fulfillment }> }
  | { type: 'TicketsAttached'; data: Readonly<{ files: readonly TicketFile[] }> }
  /** `link` is the id of the link that was used. Null for staff. */
  | { type: 'TicketDownloaded'; data: Readonly<{ ticket_id: string; link: string | null }> }
  | { type: 'TicketRemoved'; data: Readonly<{ ticket_id: string }> }
  | DeliveryEvent
  | ChoiceEvent
  | { type: 'BuyerCorrected'; data: Readonly<{ personal: string }> }
  | { type: 'PersonalDataErased'; data: Readonly<Record<string, never>> }
  | { type: 'SampleRemoved'; data: Readonly<Record<string, never>> };

/** An import decides nothing: it writes what was decided elsewhere. */
export type DecidedEvent = Exclude<OrderEvent, { type: 'OrderImported' }>;

type OrderEvents = {
  readonly [T in OrderEvent['type']]: Readonly<{
    status: T extends StatusEventType ? StatusValue : null;
    meaning: string;
  }>;
};

/** In the usual order of an order's life. The first event of a status is its plain one: it records every code without its own event. */
const ORDER_EVENTS: OrderEvents = {
  OrderImported: {
    status: null,
    meaning:
      'A job wrote the past of an order that another system had. `sha256` is that of the line it read, and the next `events` events are what ' +
      'the line said: their times and actors are its claims. Such an order has no tickets of a listing here.',
  },
  PurchaseReceived: {
    status: null,
    meaning:
      'A platform client submitted a purchase whose listing, quantity and total agree. The stock is taken in the same ' +
      'transaction. `personal` is the buyer’s data and the market’s own fields, encrypted with the order’s key.',
  },
  FraudScreened: {
    status: null,
    meaning:
      'The fraud rules looked at the purchase: which of them fired, on which facts, and whether the order is held for review or rejected. ' +
      'It is missing if no rule was enabled or the user is trusted.',
  },
  ...PAYMENT_EVENTS,
  OrderPending: {
    status: 'pending',
    meaning: 'The order waits for the broker, at most `confirm_within_minutes` from now.',
  },
  OrderHeldForReview: { status: 'pending', meaning: 'The order waits for a person to review it.' },
  OrderConfirmed: {
    status: 'confirmed',
    meaning: 'The order is confirmed: the buyer gets the tickets. `policy` names the policy that accepted it.',
  },
  TicketsShipped: {
    status: 'confirmed',
    meaning: 'The tickets were sent as a parcel. They are never sold again, whatever happens to the order.',
  },
  TicketsDelivered: {
    status: 'confirmed',
    meaning: 'The tickets were sent electronically. They are never sold again, whatever happens to the order.',
  },
  FulfillmentCorrected: {
    status: null,
    meaning:
      'The details of a fulfillment were corrected, such as a tracking number. The status stays the same, so there is no ping.',
  },
  TicketsAttached: {
    status: null,
    meaning:
      'Files with tickets were stored for the order. `sha256` proves later what they contained. Their names, seats and barcodes are ' +
      'encrypted with the order’s key, outside of the log. The status stays the same, so there is no ping.',
  },
  TicketDownloaded: {
    status: null,
    meaning:
      'A link handed out a file for the first time, so its tickets are never sold again. Further downloads are no events. `link` is null in ' +
      'events of earlier versions, which recorded each look of staff.',
  },
  TicketRemoved: {
    status: null,
    meaning: 'A file was taken back and deleted. Its links no longer open, and its barcode can be used again.',
  },
  ...DELIVERY_EVENTS,
  ...CHOICE_EVENTS,
  OrderExceptionRaised: {
    status: 'exception',
    meaning: 'The order has a problem that can still be solved. The stock stays held.',
  },
  ReplacementProposed: {
    status: null,
    meaning:
      'Other tickets were set aside for the order until `expires_at`. Their stock is taken in the same transaction. ' +
      '`ReplacementOffered` follows, which tells the platform, unless that is the status of the order already.',
  },
  ReplacementOffered: { status: 'exception', meaning: 'The buyer was offered other tickets.' },
  ReplacementLapsed: {
    status: null,
    meaning:
      'Nobody accepted the other tickets in time, so they are for sale again. The status stays the same, so there is no ping.',
  },
  ReplacementAccepted: {
    status: 'confirmed',
    meaning:
      'The buyer accepted the other tickets. If they were set aside (`ReplacementProposed`), the order has them now, and its earlier tickets ' +
      'are for sale again if they were not sent. If they cost less (`difference_cents` below 0), the order’s total falls by as much, and ' +
      '`PaymentPartlyReleased` follows.',
  },
  OrderRejected: {
    status: 'rejected',
    meaning:
      'The order ends. Tickets that were not sent are for sale again, and a payment is returned. `reason` says why a broker denied it, and `policy` which policy did.',
  },
  ReplacementRejected: { status: 'rejected', meaning: 'The buyer rejected the other tickets, and the order ends.' },
  BuyerCorrected: {
    status: null,
    meaning:
      'Staff corrected the buyer’s name, e-mail address, telephone number or address. `personal` is all of the buyer’s data, encrypted ' +
      'with the order’s key, in place of what came before. The status stays the same, so there is no ping.',
  },
  PersonalDataErased: {
    status: null,
    meaning:
      'The key of `personal` and of the sealed notes was deleted. The buyer’s data, the market’s own fields and the notes until now are ' +
      'unreadable from now on, in this log too.',
  },
  SampleRemoved: {
    status: null,
    meaning:
      'An administrator removed the sample data. The order, which was invented, is in no list, report or queue any more, and nothing more ' +
      'happens to it. Its events stay, and the ledger gets counter-entries of what it moved.',
  },
};

export const ORDER_EVENT_TYPES = Object.keys(ORDER_EVENTS) as readonly OrderEvent['type'][];

const knownTypes: ReadonlySet<string> = new Set(ORDER_EVENT_TYPES);

export function isOrderEventType(type: string): type is OrderEvent['type'] {
  return knownTypes.has(type);
}

export function isStatusEvent<E extends Readonly<{ type: string }>>(event: E): event is E & StatusEvent {
  return isOrderEventType(event.type) && ORDER_EVENTS[event.type].status !== null;
}

/** The plain event of the status comes first. */
export function eventsOfStatus(status: StatusValue): readonly StatusEventType[] {
  return ORDER_EVENT_TYPES.filter((type): type is StatusEventType => ORDER_EVENTS[type].status === status);
}

const IMPORTED = 'imported: ';

/** Who did it as an imported file says: nobody may take it for a person of this installation. */
export function importedActor(actor: string): string {
  return isImportedActor(actor) ? actor : `${IMPORTED}${actor}`;
}

export function isImportedActor(actor: string): boolean {
  return actor.startsWith(IMPORTED);
}

export function meaningOf(type: OrderEvent['type']): string {
  return ORDER_EVENTS[type].meaning;
}
