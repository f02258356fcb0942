import type { Sealer } from '#crypto/sealing';
import { dollarsOf } from '#domain/money';
import type { Cents } from '#domain/money';
import { orderStream } from '#domain/order/order-stream';
import { noteIdAt } from '../commands/event-notes.js';
import type { PersonalData } from '../commands/purchase-drafts.js';
import type { PurchaseDocument } from '../read-models/order-row.js';
import { base64, OpenedOrder } from './opened-order.js';

/** What a line shows of an order besides its documents. */
const FIELDS = {
  client_id: 'o.client_id',
  variant: 'o.variant',
  stage: 'o.stage',
  total_cents: 'o.total_cents',
  seller: 'o.seller',
  transaction_id: 'o.transaction_id',
  placed_at: utcTime('o.placed_at'),
  updated_at: utcTime('o.updated_at'),
  version: 'o.version',
  tags: `coalesce(array_to_json(d.tags), '[]')`,
  personal_data: `o.summary ->> 'personal_data'`,
};
type Fields = readonly [
  client: string,
  variant: string,
  stage: string,
  totalCents: number,
  seller: string | null,
  transaction: string,
  placedAt: string,
  updatedAt: string,
  version: number,
  tags: readonly string[],
  personalData: string,
];

/** JSON text has no control characters, so this one stands between events. */
const BETWEEN = '\u001e';

// PostgreSQL writes the events as text: reading their columns one by one would take longer than all else.
const EVENTS = `(
  select string_agg(concat('{"event_id":', to_json(e.event_id), ',"type":', to_json(e.type), ',"recorded_at":"', ${utcTime('e.recorded_at')},
    '","metadata":', e.metadata, ',"data":', e.data, '}'), E'\\x1e' order by e.position)
  from events e where e.stream = '${orderStream('')}' || o.id)`;

export const LINE_COLUMNS: readonly string[] = [
  'o.id',
  `json_build_array(${Object.values(FIELDS).join(', ')})`,
  'o.purchase',
  EVENTS,
  base64('o.personal'),
  base64('k.key'),
];

/** A row of `LINE_COLUMNS`, as PostgreSQL sends it. */
export type LineTexts = readonly (string | null)[];

/**
 * An order as one line of JSON: the document that lists show, and all its events. What the events have sealed stands there in clear, so that
 * another installation can seal it with its own key. What does not open (it was erased) stays as it is.
 */
export function orderLine(
  [id, stored, purchase, events, sealed, key]: LineTexts,
  sealer: Sealer,
  isMasked: boolean,
): string {
  const opened = new OpenedOrder(sealer, id ?? '', key ?? null);
  const data = sealed ? opened.personal(Buffer.from(sealed, 'base64'), isMasked) : undefined;
  const fields = JSON.parse(stored ?? '[]') as Fields;
  const [client_id, variant, stage, cents, seller, transaction_id, placed_at, updated_at, version, tags, personal] =
    fields;
  const document = JSON.stringify({
    client_id,
    variant,
    stage,
    total: dollarsOf(cents as Cents),
    seller,
    transaction_id,
    placed_at,
    updated_at,
    version,
    tags,
    buyer: data?.user ?? null,
    personal_data: personal,
    personal_data_masked: isMasked && data !== undefined,
  });
  const shown = purchaseText(purchase ?? '{}', data);
  const all = (events?.split(BETWEEN) ?? []).map((text, index) => eventText(text, index + 1, opened, isMasked));
  return `${shown.slice(0, -1)},${document.slice(1, -1)},"events":[${all.join(',')}]}\n`;
}

const NO_DELIVERY = /"delivery_method":\{"type":"[^"\\]*","data":\{\}/;

/** The purchase with the buyer's data. It is almost always as `purchaseDocument` wrote it, and then it need not be parsed. */
function purchaseText(text: string, data: PersonalData | undefined): string {
  if (!data) return text;
  const { delivery, market_specific_fields: fields } = data;
  const [found] = NO_DELIVERY.exec(text) ?? [];
  // The market's own fields may look like anything.
  if (found && !text.includes('"market_specific_fields":')) {
    const shown = text.replace(found, () => `${found.slice(0, -2)}${JSON.stringify(delivery)}`);
    return fields ? `${shown.slice(0, -1)},"market_specific_fields":${JSON.stringify(fields)}}` : shown;
  }
  const purchase = JSON.parse(text) as PurchaseDocument;
  const method = { type: purchase.delivery_method.type, data: delivery };
  return JSON.stringify({ ...purchase, delivery_method: method, ...(fields && { market_specific_fields: fields }) });
}

// Inside a text of JSON there is a backslash before each quote, so this is a field.
const SEALED = /"(personal|sealed_note)":"([A-Za-z0-9+/=]*)"/g;

/** A field of that name can also be one of the market's own fields, but what is sealed there opens for nobody. */
function eventText(text: string, position: number, opened: OpenedOrder, isMasked: boolean): string {
  return text.replace(SEALED, (field, name: string, base64Text: string) => {
    const sealed = Buffer.from(base64Text, 'base64');
    if (name === 'personal') {
      const data = opened.personal(sealed, isMasked);
      return data ? `"personal":${JSON.stringify(data)}` : field;
    }
    const note = opened.note(noteIdAt(position), sealed);
    return note === undefined ? field : `"sealed_note":${JSON.stringify({ text: note })}`;
  });
}

function utcTime(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
