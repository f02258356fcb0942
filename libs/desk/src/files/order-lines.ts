import type { Pool } from 'pg';
import type { Sealer } from '#base/sealing';
import { type EventArchive, UnreadableArchive } from '#event-store/event-archive';
import { orderStream } from '#domain/order-stream';
import { parseJson, stringifyJson } from '#base/json';
import { noteIdAt, proofNameId, termsIdOf } from '#orders/event-notes';
import { recipientId } from '#orders/transfer-recipient';
import { masked } from '#orders/masking';
import type { PersonalData } from '#orders/purchase-drafts';
import type { PurchaseDocument } from '#orders/purchase-document';
import { base64, OpenedOrder } from './opened-order.js';
import type { Utf8Text } from '#base/utf8-text';

/** What a line shows of an order besides its documents. PostgreSQL writes it as JSON, so that it need not be parsed. */
const FIELDS = {
  client_id: 'o.client_id',
  variant: 'o.variant',
  stage: 'o.stage',
  total: 'trim_scale(o.total_cents / 100.0)',
  seller: 'o.seller',
  transaction_id: 'o.transaction_id',
  placed_at: utcTime('o.placed_at'),
  updated_at: utcTime('o.updated_at'),
  version: 'o.version',
  tags: `coalesce(d.tags, '{}')`,
  personal_data: `o.summary ->> 'personal_data'`,
};
const NAMED_FIELDS = Object.entries(FIELDS).map(([name, sql]) => `${sql} as ${name}`);

/** JSON text has no control characters, so this one stands between events. */
const BETWEEN = '\u001e';

// PostgreSQL writes the events as text: reading their columns one by one would take longer than all else.
const EVENTS = `(
  select string_agg('{"event_id":' || to_json(e.event_id)::text || ',"type":' || to_json(e.type)::text ||
    ',"recorded_at":"' || ${utcTime('e.recorded_at')} || '","metadata":' || e.metadata::text || ',"data":' || e.data::text || '}',
    E'\\x1e' order by e.position)
  from events e where e.stream = '${orderStream('')}' || o.id)`;

export const LINE_COLUMNS: readonly string[] = [
  'o.id',
  `(select row_to_json(f) from (select ${NAMED_FIELDS.join(', ')}) f)`,
  'o.purchase',
  EVENTS,
  base64('o.personal'),
  base64('k.key'),
];

/** A row of `LINE_COLUMNS`, as PostgreSQL sends it. */
export type LineTexts = readonly (string | null)[];

const EVENTS_AT = LINE_COLUMNS.indexOf(EVENTS);
const WITHOUT_TEXTS = '"metadata":null,';

/** Rows whose events have the texts that are archived. @throws UnreadableArchive */
export async function withArchivedTexts(
  pool: Pool,
  archive: EventArchive,
  rows: readonly LineTexts[],
): Promise<readonly LineTexts[]> {
  const archived = rows.filter((row) => row[EVENTS_AT]?.includes(WITHOUT_TEXTS));
  if (archived.length === 0) return rows;
  const streamOf = ([id]: LineTexts) => orderStream(id ?? '');
  const streams = await archive.read(pool, archived.map(streamOf));
  return rows.map((row) => {
    if (!row[EVENTS_AT]?.includes(WITHOUT_TEXTS)) return row;
    const events = row[EVENTS_AT].split(BETWEEN).map((event, index) => {
      const at = event.indexOf('"metadata":');
      if (!event.startsWith(WITHOUT_TEXTS, at)) return event;
      const texts = streams.get(streamOf(row))?.[index];
      if (!texts) throw new UnreadableArchive(streamOf(row));
      return `${event.slice(0, at)}"metadata":${texts.metadata},"data":${texts.data}}`;
    });
    return row.with(EVENTS_AT, events.join(BETWEEN));
  });
}

/**
 * Writes an order as one line of JSON: the document that lists show, and all its events. What the events have sealed stands there in clear, so
 * that another installation can seal it with its own key. What does not open (it was erased) stays as it is.
 */
export function writeOrderLine(
  out: Utf8Text,
  [id, fields, purchase, events, sealed, key]: LineTexts,
  sealer: Sealer,
  isMasked: boolean,
): void {
  const opened = new OpenedOrder(sealer, id ?? '', key ?? null);
  // Without the ends of PostgreSQL's lines it is the text that stands in an event.
  const data = sealed ? opened.personal(sealed.replaceAll('\n', ''), isMasked)?.data : undefined;
  writePurchase(out, purchase ?? '{}', data);
  out.add(`,${(fields ?? '{}').slice(1, -1)},"buyer":${stringifyJson(data?.user ?? null)}`);
  out.add(`,"personal_data_masked":${isMasked && data !== undefined},"events":[`);
  writeEvents(out, events ?? '', opened, isMasked);
  out.add(']}\n');
}

const NO_DELIVERY = /"delivery_method":\{"type":"[^"\\]*","data":\{\}/;

/** The purchase with the buyer's data, but for the last brace. It is almost always as `purchaseDocument` wrote it, and then it need not be parsed. */
function writePurchase(out: Utf8Text, text: string, data: PersonalData | undefined): void {
  if (!data) return out.add(text.slice(0, -1));
  const { delivery, market_specific_fields: fields } = data;
  const found = NO_DELIVERY.exec(text);
  // The market's own fields may look like anything.
  if (!found || text.includes('"market_specific_fields":')) {
    const purchase = parseJson(text) as PurchaseDocument;
    const method = { type: purchase.delivery_method.type, data: delivery };
    const shown = { ...purchase, delivery_method: method, ...(fields && { market_specific_fields: fields }) };
    return out.add(stringifyJson(shown).slice(0, -1));
  }
  const end = found.index + found[0].length;
  out.add(text.slice(0, end - 2));
  out.add(stringifyJson(delivery));
  out.add(text.slice(end, -1));
  if (fields) out.add(`,"market_specific_fields":${stringifyJson(fields)}`);
}

// Inside a text of JSON there is a backslash before each quote, so this is a field.
const SEALED = /"(personal|sealed_note|sealed_terms|sealed_recipient|sealed_name)":"([A-Za-z0-9+/=]*)"/g;

/** A field of that name can also be one of the market's own fields, but what is sealed there opens for nobody. */
function writeEvents(out: Utf8Text, texts: string, opened: OpenedOrder, isMasked: boolean): void {
  let end = 0;
  // One search through all events takes half of the time of one for each.
  for (const found of texts.matchAll(SEALED)) {
    const [field, name, sealed = ''] = found;
    const json =
      name === 'personal'
        ? opened.personal(sealed, isMasked)?.json
        : textJson(opened, textIdAt(name, texts, found.index), sealed, isMasked && name === 'sealed_recipient');
    if (json === undefined) continue;
    out.add(texts.slice(end, found.index).replaceAll(BETWEEN, ','));
    out.add(`"${name}":`);
    out.add(json);
    end = found.index + field.length;
  }
  out.add(texts.slice(end).replaceAll(BETWEEN, ','));
}

const EXPIRY = /"expires_at":"([^"]*)"/;
const FIRST_TRANSFER = /"transfers":\[\{[^}]*"id":"([^"]*)"/;
const PROOF = /"proof":\{[^}]*"id":"([^"]*)"/;

/** What binds the sealed text at `index` to its event: the position, when the offer ends, the first transfer, or the proof. */
function textIdAt(name: string | undefined, texts: string, index: number): string {
  if (name === 'sealed_note') return noteIdAt(texts.slice(0, index).split(BETWEEN).length);
  const [begin, end] = [texts.lastIndexOf(BETWEEN, index) + 1, texts.indexOf(BETWEEN, index)];
  const event = texts.slice(begin, end < 0 ? undefined : end);
  if (name === 'sealed_recipient') return recipientId(FIRST_TRANSFER.exec(event)?.[1] ?? '');
  if (name === 'sealed_name') return proofNameId(PROOF.exec(event)?.[1] ?? '');
  const [, expiresAt = ''] = EXPIRY.exec(event) ?? [];
  return termsIdOf({ expires_at: expiresAt });
}

function textJson(opened: OpenedOrder, id: string, sealed: string, isMasked: boolean): string | undefined {
  const text = opened.note(id, sealed);
  if (text === undefined) return undefined;
  return stringifyJson({ text: isMasked ? stringifyJson(masked(parseJson(text))) : text });
}

function utcTime(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
