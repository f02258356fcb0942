import type { ExportColumn } from '#contracts/backoffice/order-export';
import type { PersonalData } from '../commands/purchase-drafts.js';

/** `time`: ISO 8601, UTC. */
export type ExportKind = 'text' | 'number' | 'time';
export type ExportValue = string | number | null;

/** What a column shows, and where it comes from. */
type Stored = Readonly<{ kind: ExportKind; sql: string; of?: (text: string) => ExportValue }>;
type Personal = Readonly<{ kind: 'text'; field: string; people: readonly (keyof People)[] }>;
type People = Pick<PersonalData, 'user' | 'delivery' | 'billing'>;

const text = (sql: string): Stored => ({ kind: 'text', sql });
const number = (sql: string): Stored => ({ kind: 'number', sql, of: Number });
const time = (sql: string): Stored => ({ kind: 'time', sql: `${sql} at time zone 'UTC'`, of: isoTimeOf });
const dollars = (sql: string): Stored => ({ kind: 'number', sql, of: (cents) => Number(cents) / 100 });

/** Of the first of these people who has the field: the one who gets the tickets, or else the one who pays. */
const receiver = (field: string): Personal => ({ kind: 'text', field, people: ['delivery', 'billing'] });
const contact = (field: string): Personal => ({ kind: 'text', field, people: ['user', 'delivery', 'billing'] });

const COLUMNS: Readonly<Record<ExportColumn, Stored | Personal>> = {
  id: text('o.id'),
  ref_id: text('o.ref_id'),
  placed_at: time('o.placed_at'),
  updated_at: time('o.updated_at'),
  status: text('o.status'),
  status_code: number('o.status_code'),
  status_message: text('o.status_message'),
  stage: text('o.stage'),
  client_id: text('o.client_id'),
  variant: text('o.variant'),
  event_id: text('o.event_id'),
  listing_id: text('o.listing_id'),
  seller: text('o.seller'),
  quantity: number('o.quantity'),
  total: dollars('o.total_cents'),
  delivery_method: text(`o.purchase #>> '{delivery_method,type}'`),
  carrier: text(`o.purchase #>> '{fulfillment,data,carrier}'`),
  tracking_number: text('o.tracking_number'),
  first_name: receiver('first_name'),
  last_name: receiver('last_name'),
  email: contact('email'),
  phone: contact('phone'),
  address1: receiver('address1'),
  address2: receiver('address2'),
  city: receiver('city'),
  state: receiver('state'),
  zip: receiver('zip'),
  country: receiver('country'),
  card_last4: text('o.card_last4'),
  assignee: text('p.name'),
  tags: text(`nullif(array_to_string(d.tags, ', '), '')`),
  confirm_by: time(`case when o.due_for = 'confirmation' then o.due_at end`),
  transaction_id: text('o.transaction_id'),
  version: number('o.version'),
};

/** The columns of a file: how they are read from the database, and made from the texts that it sends. */
export class ExportShape {
  readonly kinds: readonly ExportKind[];
  readonly #stored: readonly Stored[];
  readonly #hasPersonal: boolean;

  constructor(readonly names: readonly ExportColumn[]) {
    const columns = names.map((name) => COLUMNS[name]);
    this.kinds = columns.map(({ kind }) => kind);
    this.#stored = columns.filter((column) => 'sql' in column);
    this.#hasPersonal = columns.some((column) => 'field' in column);
  }

  /** Over the tables `o`, `k` (the order's key), `d` (the desk) and `p` (the assignee). */
  get selected(): readonly string[] {
    return [...this.#stored.map(({ sql }) => sql), ...(this.#hasPersonal ? ['o.personal', 'k.key'] : [])];
  }

  /**
   * @param texts of the selected columns, as PostgreSQL sends them
   * @param open decrypts the buyer's data; undefined if there is none to show
   */
  row(texts: readonly (string | null)[], open: (sealed: string, key: string) => People | undefined): ExportValue[] {
    const [sealed, key] = [texts[this.#stored.length] ?? null, texts[this.#stored.length + 1] ?? null];
    const people = sealed !== null && key !== null ? open(sealed, key) : undefined;
    let next = 0;
    return this.names.map((name) => {
      const column = COLUMNS[name];
      if ('field' in column) return people ? fieldOf(people, column) : null;
      const value = texts[next++] ?? null;
      return value === null || !column.of ? value : column.of(value);
    });
  }
}

function fieldOf(people: People, { field, people: order }: Personal): string | null {
  for (const person of order) {
    const value = (people[person] as Readonly<Record<string, unknown>> | null)?.[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** From `2026-11-21 12:00:00.5` to ISO 8601. */
function isoTimeOf(utc: string): string {
  return `${utc.slice(0, 10)}T${utc.slice(11, 19)}.${utc.slice(20).padEnd(3, '0')}Z`;
}
