import type { NewEvent, RecordedEvent } from './event.js';

export type AppendContext<State = unknown, E extends NewEvent = NewEvent> = Readonly<{
  stream: string;
  past: readonly RecordedEvent<E>[];
  appended: readonly RecordedEvent<E>[];
  /** The state after `past`. */
  before: State;
  /** The state after `appended`. */
  after: State;
  /** Data for the projections that must not be in the events, e.g. the key that erases personal data. */
  attachments: Readonly<Record<string, unknown>>;
}>;

/**
 * Writes rows in the same transaction as the events: a read model, the stock, a due ping. The store runs all registered
 * projections within the one statement of an append.
 *
 * @example
 * const notes: InlineProjection = {
 *   name: 'notes',
 *   columns: { order_id: 'text', note: 'text' },
 *   statement: (rows) => `insert into notes select * from ${rows} returning 1`,
 *   rows: ({ appended }) => appended.map((event) => ({ order_id: event.stream, note: event.type })),
 * };
 */
export interface InlineProjection<State = unknown, E extends NewEvent = NewEvent> {
  /** A plain SQL identifier, unique among the projections. ProjectionConflict names it. */
  readonly name: string;
  /** The columns of a row with their SQL types, in the order of the row source. */
  readonly columns: Readonly<Record<string, string>>;
  /** Returns one data-modifying statement that reads the row source `rows` (an SQL expression). It must end in `returning …`. */
  statement(rows: string): string;
  /** The same for the first append of a stream, if that costs less: nothing that depends on the stream can be there yet. */
  statementOfNewStream?(rows: string): string;
  /** Must be pure. Returns no rows if the append does not concern this projection. */
  rows(context: AppendContext<State, E>): readonly object[];
  /** If true, each row must change exactly one table row. Otherwise the append is rolled back with `ProjectionConflict`. */
  readonly requireRowCount?: boolean;
  /** Names the contended lock that a row takes. At most half of the pool's connections then wait for the same lock. */
  contendedKey?(row: object): string;
  /** Like `statement` for one row, but changes nothing while another transaction has the contended lock. */
  statementWithoutWaiting?(rows: string): string;
  /** One row that does what these rows of one contended key do. Undefined if they must be applied one by one. */
  merged?(rows: readonly object[]): object | undefined;
}
