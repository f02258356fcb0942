import { EXPORT_COLUMNS, type ExportArguments, type ExportColumn } from '../order-export.contract.js';
import { parseJson } from '#base/json';
import type { PersonalData } from '#orders/purchase-drafts';
import { base64 } from './opened-order.js';

/** `time`: ISO 8601, UTC. */
export type ExportKind = 'text' | 'number' | 'time';
export type ExportValue = string | number | null;

/** What a column shows, and where it comes from. */
type Stored = Readonly<{ kind: ExportKind; sql: string; of?: (value: never) => ExportValue }>;
type Personal = Readonly<{ kind: 'text'; field: string; people: readonly (keyof People)[]; of: readonly string[] }>;
type People = Pick<PersonalData, 'user' | 'delivery' | 'billing'>;

const text = (sql: string): Stored => ({ kind: 'text', sql });
const number = (sql: string): Stored => ({ kind: 'number', sql });
const time = (sql: string): Stored => ({ kind: 'time', sql: `${sql} at time zone 'UTC'`, of: isoTimeOf });
const dollars = (sql: string): Stored => ({ kind: 'number', sql, of: (cents: number) => cents / 100 });

/**
 * Of the first of these people who has one of the fields `of`: the one who gets the tickets, or else the one who pays. So a person with one name,
 * or an address without a postal code, gets no part of another's.
 */
const receiver = (field: string, of: readonly string[]): Personal => {
  return { kind: 'text', field, people: ['delivery', 'billing'], of };
};
const named = (field: string) => receiver(field, ['first_name', 'last_name']);
const addressed = (field: string) => receiver(field, ['address1', 'city', 'country']);
const contact = (field: string): Personal => {
  return { kind: 'text', field, people: ['user', 'delivery', 'billing'], of: [field] };
};

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
  // What was not shipped has none, and reading the document takes a quarter of the work of all columns.
  carrier: text(`case when o.tracking_number is not null then o.purchase #>> '{fulfillment,data,carrier}' end`),
  tracking_number: text('o.tracking_number'),
  first_name: named('first_name'),
  last_name: named('last_name'),
  email: contact('email'),
  phone: contact('phone'),
  address1: addressed('address1'),
  address2: addressed('address2'),
  city: addressed('city'),
  state: addressed('state'),
  zip: addressed('zip'),
  country: addressed('country'),
  card_last4: text('o.card_last4'),
  assignee: text('p.name'),
  tags: text(`nullif(array_to_string(d.tags, ', '), '')`),
  confirm_by: time(`case when o.due_for = 'confirmation' then o.due_at end`),
  transaction_id: text('o.transaction_id'),
  version: number('o.version'),
  external_id: text('o.external_id'),
  speculative: text('o.speculative::text'),
};

/** Whether the file has data of buyers, in clear or masked. */
export function hasBuyers({ format, columns }: ExportArguments): boolean {
  if (format === 'ndjson' && !columns) return true;
  return (columns ?? EXPORT_COLUMNS).some((name) => 'people' in COLUMNS[name]);
}

type Cell = (stored: readonly ExportValue[], people: People | undefined) => ExportValue;

/** The columns of a file: how they are read from the database, and made from what it sends. */
export class ExportShape {
  readonly kinds: readonly ExportKind[];
  /** The names of the columns as a table shows them: a spreadsheet does not show the zone of a time. */
  readonly headings: readonly string[];
  /**
   * Over the tables `o`, `k` (the order's key), `d` (the desk) and `p` (the assignee). All that is stored in clear is one array: reading
   * 20 texts for each order would take longer than all else.
   */
  readonly selected: readonly string[];
  readonly #cells: readonly Cell[];

  constructor(readonly names: readonly ExportColumn[]) {
    const columns = names.map((name) => COLUMNS[name]);
    const stored = columns.filter((column) => 'sql' in column);
    const hasPersonal = stored.length < columns.length;
    this.kinds = columns.map(({ kind }) => kind);
    this.headings = columns.map(({ kind }, index) => `${names[index]}${kind === 'time' ? ' (UTC)' : ''}`);
    this.selected = [
      `json_build_array(${stored.map(({ sql }) => sql).join(', ')})`,
      ...(hasPersonal ? [base64('o.personal'), base64('k.key')] : []),
    ];
    this.#cells = columns.map((column) =>
      'sql' in column ? storedCell(column, stored.indexOf(column)) : cellOf(column),
    );
  }

  /**
   * @param texts of the selected columns, as PostgreSQL sends them
   * @param open decrypts the buyer's data; undefined if there is none to show
   */
  row(
    [stored, sealed, key]: readonly (string | null)[],
    open: (sealed: string, key: string) => People | undefined,
  ): ExportValue[] {
    const values = parseJson(stored ?? '[]') as ExportValue[];
    const people = sealed && key ? open(sealed, key) : undefined;
    return this.#cells.map((cell) => cell(values, people));
  }
}

function storedCell({ of }: Stored, index: number): Cell {
  if (!of) return (stored) => stored[index] ?? null;
  return (stored) => {
    const value = stored[index] ?? null;
    return value === null ? null : of(value as never);
  };
}

function cellOf(column: Personal): Cell {
  return (_, people) => (people ? fieldOf(people, column) : null);
}

function fieldOf(people: People, { field, people: order, of }: Personal): string | null {
  for (const one of order) {
    const person = people[one] as Readonly<Record<string, unknown>> | null;
    if (of.some((name) => textOf(person?.[name]) !== null)) return textOf(person?.[field]);
  }
  return null;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** From `2026-11-21T12:00:00.5`, as JSON of PostgreSQL has it, to milliseconds and the zone. */
function isoTimeOf(utc: string): string {
  return `${utc.slice(0, 19)}.${utc.slice(20).padEnd(3, '0')}Z`;
}
