import type { NewEvent, RecordedEvent } from './event.js';

/** What one append is about: the stream so far, and what is being added to it. */
export type AppendContext<State = unknown, E extends NewEvent = NewEvent> = Readonly<{
  stream: string;
  past: readonly RecordedEvent<E>[];
  appended: readonly RecordedEvent<E>[];
  /** The state after `past`. */
  before: State;
  /** The state after `appended`. */
  after: State;
  /** What the use case hands to writers beside the events and what is no fact of the order, e.g. a key to erase it by. */
  attachments: Readonly<Record<string, unknown>>;
}>;

/**
 * Writes something that must be true in the same transaction as the events: a read model, the stock, a due ping.
 * The store runs every registered writer in the one statement of an append and knows none of them by name.
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
  /** A plain SQL name, unique among the writers; it is the detail of the error when `mustAffect` is not met. */
  readonly name: string;
  /** Columns of a row with their SQL types, in the order in which `rows` in the statement has them. */
  readonly columns: Readonly<Record<string, string>>;
  /** One data-modifying statement over the row source it is given (an SQL expression with the columns above). It ends in `returning …`. */
  statement(rows: string): string;
  /** Pure: the rows of this commit, none where it does not concern this writer. */
  rows(commit: AppendContext<State, E>): readonly object[];
  /** Every row must change exactly one row of the table, else the whole append is undone and `ProjectionConflict` is thrown. */
  readonly mustAffect?: boolean;
  /** The name of what a row locks, where many appends may wait for the same; at most half of the pool's connections wait for one. */
  contendedKey?(row: object): string;
}
