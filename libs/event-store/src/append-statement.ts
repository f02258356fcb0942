import type { QueryConfig } from 'pg';
import { stringifyJson } from '#base/json';
import type { InlineProjection } from './inline-projection.js';

/** All events of an append share stream, metadata and time. */
export type AppendedRows = Readonly<{
  stream: string;
  /** Position of the stream's last event so far. 0 for a new stream. */
  after: number;
  metadata: string;
  recordedAt: string;
  events: readonly EventRow[];
  /** For each projection, in their order. */
  written: readonly (readonly object[])[];
  /** The epoch in which the append was decided. Undefined if unknown. */
  epoch?: string | undefined;
}>;

/** A row of the projection with this index. */
export type ContendedRow = Readonly<{ stream: string; index: number; key: string; row: object }>;

/**
 * `isWaiting`: whether the statement waits for contended locks; otherwise it fails, and several appends can have some. `isOneRow`: the
 * appends change one contended row, as `onOneRow` has made them.
 */
export type StatementOptions = Readonly<{ isWaiting?: boolean; isOneRow?: boolean }>;

export type EventRow = Readonly<{ position: number; event_id: string; type: string; data: string; hash: Buffer }>;

/**
 * Everything that an append writes, in one statement. A shape is the number of events and of rows per projection. Each has its own
 * prepared statement with only the parts that have rows, so a plan made while the tables were small stays good.
 */
export class AppendStatement {
  readonly #texts = new Map<string, string>();
  readonly #indexed: readonly (readonly [index: number, projection: InlineProjection])[];

  constructor(private readonly projections: readonly InlineProjection[]) {
    this.#indexed = [...projections.entries()];
  }

  shapeOf({ after, events, written }: AppendedRows): string {
    return `${after === 0 ? 'new' : 'next'}.${events.length}.${written.map((rows) => digitOf(rows.length)).join('')}`;
  }

  /** True if the append does not depend on rows that another append may change. */
  standsAlone({ written }: AppendedRows): boolean {
    return this.#indexed.every(([index, { requireRowCount }]) => !requireRowCount || !written[index]?.length);
  }

  /** The row lock that this append may wait for. */
  contendedKey({ written }: AppendedRows): string | undefined {
    for (const [index, projection] of this.#indexed) {
      const row = written[index]?.[0];
      if (row && projection.contendedKey) return projection.contendedKey(row);
    }
    return undefined;
  }

  /**
   * Whether the append may change its contended row in one statement with other appends. Not one of an existing stream: its read models
   * may be locked, and the others would wait too.
   */
  canShare({ after, written }: AppendedRows): boolean {
    if (after > 0) return false;
    let rows = 0;
    for (const [index, projection] of this.#indexed) {
      const count = written[index]?.length ?? 0;
      if (count === 0 || !projection.contendedKey) continue;
      if (!projection.statementWithoutWaiting) return false;
      rows += count;
    }
    return rows === 1;
  }

  /** Appends that `canShare` and have the same contended row, so that they change it once, together. Undefined if they cannot. */
  onOneRow(
    appends: readonly [AppendedRows, ...AppendedRows[]],
  ): readonly [AppendedRows, ...AppendedRows[]] | undefined {
    const [first, ...others] = appends;
    const contended = this.#concerned(first.written).find(([, one]) => 'contendedKey' in one);
    if (!contended) return undefined;
    const [index, projection] = contended;
    const row = projection.merged?.(appends.flatMap(({ written }) => written[index] ?? []));
    if (!row) return undefined;
    const withRows = (append: AppendedRows, rows: readonly object[]) => ({
      ...append,
      written: append.written.with(index, rows),
    });
    return [withRows(first, [row]), ...others.map((append) => withRows(append, []))];
  }

  /** The append without the rows that others may have locked, and these rows. */
  split(append: AppendedRows): Readonly<{ append: AppendedRows; contended: readonly ContendedRow[] }> {
    const contended = this.#concerned(append.written).flatMap(([index, projection]) => {
      const rows = projection.contendedKey ? (append.written[index] ?? []) : [];
      return rows.map((row) => ({ stream: append.stream, index, key: projection.contendedKey?.(row) ?? '', row }));
    });
    if (contended.length === 0) return { append, contended };
    const written = append.written.map((rows, index) => (this.projections[index]?.contendedKey ? [] : rows));
    return { append: { ...append, written }, contended };
  }

  /** The fewest rows that do the same as these, of one key. */
  merged(rows: readonly [ContendedRow, ...ContendedRow[]]): readonly ContendedRow[] {
    const [first] = rows;
    const isOneProjection = rows.every(({ index }) => index === first.index);
    const row = isOneProjection && this.projections[first.index]?.merged?.(rows.map((one) => one.row));
    return row ? [{ ...first, row }] : rows;
  }

  /** Changes a row that was split from its append. */
  contendedQuery({ index, row }: ContendedRow): QueryConfig {
    const projection = this.projections[index];
    if (!projection) throw new Error(`There is no projection ${index}.`);
    const { name, columns, requireRowCount } = projection;
    const statement = projection.statement(new Parameters().rows(name, columns, 1));
    const values: unknown[] = [];
    pushRow(values, columns, row);
    const affected = `(select count(*) from written_${name})`;
    const text = `with written_${name} as (${statement})
      select from (values (1)) as part where ${requireRowCount === true} and ${affected} <> 1
        and expect_rows('${name}', ${affected}, 1) is null`;
    return { name: `append.contended.${name}`, text, values };
  }

  /**
   * @param appends must have the same shape and different streams. Several that do not stand alone must have different contended keys, or be `onOneRow`.
   */
  query(
    appends: readonly [AppendedRows, ...AppendedRows[]],
    { isWaiting = true, isOneRow = false }: StatementOptions = {},
  ): QueryConfig {
    const kind = isOneRow ? 'row.' : isWaiting ? '' : 'group.';
    const name = `append.${kind}${this.shapeOf(appends[0])}x${appends.length}`;
    const text = this.#texts.get(name) ?? this.#text(appends, isWaiting);
    this.#texts.set(name, text);
    return { name, text, values: this.#values(appends) };
  }

  #text(appends: readonly [AppendedRows, ...AppendedRows[]], isWaiting: boolean): string {
    const [{ after, written }] = appends;
    const parameters = new Parameters();
    const tuples = appends.flatMap(({ events }) => {
      const [stream, metadata, recordedAt, before] = ['text', 'json', 'timestamptz', 'int'].map((type) =>
        parameters.next(type),
      );
      return events.map(() => {
        const own = ['int', 'text', 'text', 'json', 'bytea'].map((type) => parameters.next(type));
        return `(${[stream, before, ...own, metadata, recordedAt].join(', ')})`;
      });
    });
    // Prevents gaps: otherwise an append after a position that was never written would succeed. A scalar subquery is always looked
    // up by key and never becomes a join that reads the whole log.
    const connected = `where (select last.position from events as last
      where last.stream = appended.stream and last.position = appended.before) is not null`;
    const parts = [
      `written_events as (
        insert into events (stream, position, event_id, type, data, metadata, recorded_at, hash)
        select stream, position, event_id, type, data, metadata, recorded_at, hash
        from (values ${tuples.join(', ')})
          as appended (stream, before, position, event_id, type, data, hash, metadata, recorded_at)
        ${after === 0 ? '' : connected}
        returning stream, position, recorded_at)`,
      `written_outbox as (
        insert into outbox (stream, stream_position, recorded_at)
        select stream, position, recorded_at from written_events order by stream, position returning 1)`,
    ];
    const checks = [`('position', (select count(*) from written_events), ${tuples.length})`];
    const write = (part: string, count: number, { name, requireRowCount }: InlineProjection, statement: string) => {
      parts.push(`written_${part} as (${statement})`);
      if (requireRowCount) checks.push(`('${name}', (select count(*) from written_${part}), ${count})`);
    };
    for (const [index, projection] of this.#concerned(written)) {
      const { name, columns } = projection;
      const count = appends.reduce((sum, one) => sum + (one.written[index]?.length ?? 0), 0);
      if (isWaiting || !projection.statementWithoutWaiting) {
        const rows = parameters.rows(name, columns, count);
        const ofNewStream = after === 0 ? projection.statementOfNewStream?.(rows) : undefined;
        write(name, count, projection, ofNewStream ?? projection.statement(rows));
        continue;
      }
      // One row for each of these statements, so that it finds its row by the primary key.
      for (let row = 1; row <= count; row += 1) {
        const statement = projection.statementWithoutWaiting(parameters.rows(name, columns, 1));
        write(`${name}_${row}`, 1, projection, statement);
      }
    }
    return `with ${parts.join(', ')}
      select from (values ${checks.join(', ')}) as part (name, affected, wanted)
      where affected <> wanted and expect_rows(name, affected, wanted) is null`;
  }

  #values(appends: readonly [AppendedRows, ...AppendedRows[]]): unknown[] {
    const values: unknown[] = [];
    for (const { stream, metadata, recordedAt, after, events } of appends) {
      values.push(stream, metadata, recordedAt, after);
      for (const { position, event_id, type, data, hash } of events) values.push(position, event_id, type, data, hash);
    }
    for (const [index, { columns }] of this.#concerned(appends[0].written)) {
      for (const { written } of appends) for (const row of written[index] ?? []) pushRow(values, columns, row);
    }
    return values;
  }

  #concerned(written: AppendedRows['written']) {
    return this.#indexed.filter(([index]) => (written[index]?.length ?? 0) > 0);
  }
}

/** Hands out `$1`, `$2` … */
class Parameters {
  private used = 0;

  next(type: string): string {
    return `$${(this.used += 1)}::${type}`;
  }

  rows(name: string, columns: InlineProjection['columns'], count: number): string {
    const types = Object.values(columns);
    const tuple = () => `(${types.map((type) => this.next(type)).join(', ')})`;
    const tuples = Array.from({ length: count }, tuple).join(', ');
    const names = Object.keys(columns).map((column) => `"${column}"`);
    return `(values ${tuples}) as "${name}"(${names.join(', ')})`;
  }
}

function pushRow(values: unknown[], columns: InlineProjection['columns'], row: object): void {
  for (const column in columns) {
    const value = (row as Readonly<Record<string, unknown>>)[column];
    // pg would convert a JavaScript array to a PostgreSQL array.
    values.push(columns[column] === 'json' && value !== null ? stringifyJson(value) : value);
  }
}

// PostgreSQL knows only 63 characters of the name of a statement, and there is one for each projection.
function digitOf(count: number): string {
  return count < 36 ? count.toString(36) : `(${count})`;
}
