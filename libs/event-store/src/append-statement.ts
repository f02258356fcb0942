import type { QueryConfig } from 'pg';
import type { InlineWriter } from './inline-writer.js';

/** What one append writes. All its events share stream, metadata and time. */
export type AppendedRows = Readonly<{
  stream: string;
  /** Position of the last event before; 0 for a new stream. */
  after: number;
  /** JSON text. */
  metadata: string;
  recordedAt: string;
  events: readonly EventRow[];
  /** The rows of each writer, in the order of the writers. */
  written: readonly (readonly object[])[];
}>;

/** `data` is the JSON text that the hash is over. */
export type EventRow = Readonly<{ position: number; event_id: string; type: string; data: string; hash: Buffer }>;

const EVENT_COLUMNS = { position: 'int', event_id: 'text', type: 'text', data: 'json', hash: 'bytea' };

/**
 * One statement, hence one round trip and one transaction, for everything that an append writes.
 *
 * Each shape of an append (how many events, how many rows of which writer) has a statement of its own, prepared under its
 * own name: it holds only the parts that have something to do, and Postgres knows for each how many rows there are, so
 * that a plan made while the tables were small is right for large ones. There are as many shapes as kinds of changes.
 */
export class AppendStatement {
  readonly #texts = new Map<string, string>();

  constructor(private readonly writers: readonly InlineWriter[]) {}

  query(append: AppendedRows): QueryConfig {
    const counts = append.written.map((rows) => rows.length);
    const shape = [append.after === 0 ? 'new' : 'next', append.events.length, ...counts].join('.');
    const text = this.#texts.get(shape) ?? this.#text(append);
    this.#texts.set(shape, text);
    return { name: `append.${shape}`, text, values: this.#values(append) };
  }

  #text({ after, events, written }: AppendedRows): string {
    const parameters = new Parameters(after === 0 ? 3 : 4);
    const appended = parameters.rows('appended', EVENT_COLUMNS, events.length);
    // Refuses gaps: without it an append after a position that was never written would succeed.
    const connected = after === 0 ? '' : 'where exists (select 1 from events where stream = $1 and position = $4)';
    const parts = [
      `written_events as (
        insert into events (stream, position, event_id, type, data, metadata, recorded_at, hash)
        select $1::text, position, event_id, type, data, $2::json, $3::timestamptz, hash from ${appended} ${connected}
        returning position)`,
      `written_outbox as (
        insert into outbox (stream, stream_position, recorded_at)
        select $1::text, position, $3::timestamptz from written_events order by position returning 1)`,
    ];
    const checks = [`('position', (select count(*) from written_events), ${events.length})`];
    for (const [index, writer] of this.#concerned(written)) {
      const { name, columns, mustAffect } = writer;
      const count = written[index]?.length ?? 0;
      parts.push(`written_${name} as (${writer.statement(parameters.rows(name, columns, count))})`);
      if (mustAffect) checks.push(`('${name}', (select count(*) from written_${name}), ${count})`);
    }
    return `with ${parts.join(', ')}
      select from (values ${checks.join(', ')}) as part (name, affected, wanted)
      where affected <> wanted and expect_rows(name, affected, wanted) is null`;
  }

  #values({ stream, after, metadata, recordedAt, events, written }: AppendedRows): unknown[] {
    const values: unknown[] = [stream, metadata, recordedAt, ...(after === 0 ? [] : [after])];
    for (const { position, event_id, type, data, hash } of events) values.push(position, event_id, type, data, hash);
    for (const [index, { columns }] of this.#concerned(written)) {
      for (const row of written[index] ?? []) pushRow(values, columns, row);
    }
    return values;
  }

  #concerned(written: AppendedRows['written']): [number, InlineWriter][] {
    return [...this.writers.entries()].filter(([index]) => (written[index]?.length ?? 0) > 0);
  }
}

/** Hands out `$1`, `$2` … */
class Parameters {
  constructor(private used: number) {}

  /** A row source of that many rows, as an inline writer's statement takes it. */
  rows(name: string, columns: InlineWriter['columns'], count: number): string {
    const types = Object.values(columns);
    const tuple = () => `(${types.map((type) => `$${(this.used += 1)}::${type}`).join(', ')})`;
    const tuples = Array.from({ length: count }, tuple).join(', ');
    const names = Object.keys(columns).map((column) => `"${column}"`);
    return `(values ${tuples}) as "${name}"(${names.join(', ')})`;
  }
}

function pushRow(values: unknown[], columns: InlineWriter['columns'], row: object): void {
  for (const column in columns) {
    const value = (row as Readonly<Record<string, unknown>>)[column];
    // pg would write an array as one of Postgres' arrays.
    values.push(columns[column] === 'json' && value !== null ? JSON.stringify(value) : value);
  }
}
