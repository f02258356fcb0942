import type { Sealer } from '#crypto/sealing';
import { dollarsOf } from '#domain/money';
import type { Cents } from '#domain/money';
import { isoTime, type StoredStream } from '#event-store/stream-scan';
import { noteIdAt } from '../commands/event-notes.js';
import type { PurchaseDocument } from '../read-models/order-row.js';
import { bytesOf, OpenedOrder } from './opened-order.js';

type StoredEvent = StoredStream[number];

/** What a line shows of an order besides its events, as selected below. */
const COLUMNS = {
  id: 'o.id',
  client_id: 'o.client_id',
  variant: 'o.variant',
  stage: 'o.stage',
  total_cents: 'o.total_cents',
  seller: 'o.seller',
  transaction_id: 'o.transaction_id',
  placed_at: `o.placed_at at time zone 'UTC'`,
  updated_at: `o.updated_at at time zone 'UTC'`,
  version: 'o.version',
  tags: `coalesce(array_to_json(d.tags), '[]')`,
  purchase: 'o.purchase',
  personal_data: `o.summary ->> 'personal_data'`,
  personal: 'o.personal',
  key: 'k.key',
};
type Column = keyof typeof COLUMNS;
const NAMES = Object.keys(COLUMNS) as readonly Column[];

export const LINE_COLUMNS: readonly string[] = Object.values(COLUMNS);

/** A row of `LINE_COLUMNS`, as PostgreSQL sends it. */
export type LineTexts = readonly (string | null)[];

/**
 * An order as one line of JSON: the document that lists show, and all its events. What the events have sealed stands there in clear, so that
 * another installation can seal it with its own key. What does not open (it was erased) stays as it is.
 */
export function orderLine(
  texts: LineTexts,
  stream: StoredStream | undefined,
  sealer: Sealer,
  isMasked: boolean,
): string {
  const row = Object.fromEntries(NAMES.map((name, index) => [name, texts[index] ?? null])) as Record<
    Column,
    string | null
  >;
  const opened = new OpenedOrder(sealer, row.id ?? '', row.key);
  const purchase = JSON.parse(row.purchase ?? '{}') as PurchaseDocument;
  const data = row.personal === null ? undefined : opened.personal(bytesOf(row.personal), isMasked);
  const { delivery_method: method } = purchase;
  const document = {
    ...purchase,
    delivery_method: { type: method.type, data: data?.delivery ?? method.data },
    ...(data?.market_specific_fields && { market_specific_fields: data.market_specific_fields }),
    client_id: row.client_id,
    variant: row.variant,
    stage: row.stage,
    total: dollarsOf(Number(row.total_cents) as Cents),
    seller: row.seller,
    transaction_id: row.transaction_id,
    placed_at: isoTime(`${row.placed_at}+00`),
    updated_at: isoTime(`${row.updated_at}+00`),
    version: Number(row.version),
    tags: JSON.parse(row.tags ?? '[]') as unknown,
    buyer: data?.user ?? null,
    personal_data: row.personal_data,
    personal_data_masked: isMasked && data !== undefined,
  };
  const events = stream?.map((event) => eventText(event, opened, isMasked)) ?? [];
  return `${JSON.stringify(document).slice(0, -1)},"events":[${events.join(',')}]}\n`;
}

function eventText(event: StoredEvent, opened: OpenedOrder, isMasked: boolean): string {
  const head = `"event_id":${JSON.stringify(event.event_id)},"type":"${event.type}","recorded_at":"${event.recorded_at}"`;
  return `{${head},"metadata":${event.metadataText},"data":${dataText(event, opened, isMasked)}}`;
}

// Most events have nothing sealed, and their JSON is passed on without parsing.
const SEALED = /"(?:personal|sealed_note)":"/;

function dataText({ dataText: text, data, position }: StoredEvent, opened: OpenedOrder, isMasked: boolean): string {
  if (!SEALED.test(text)) return text;
  const { personal, sealed_note: note } = data as Readonly<{ personal?: unknown; sealed_note?: unknown }>;
  const shown: Record<string, unknown> = { ...data };
  if (typeof personal === 'string') {
    shown['personal'] = opened.personal(Buffer.from(personal, 'base64'), isMasked) ?? personal;
  }
  if (typeof note === 'string') {
    const text = opened.note(noteIdAt(position), Buffer.from(note, 'base64'));
    shown['sealed_note'] = text === undefined ? note : { text };
  }
  return JSON.stringify(shown);
}
