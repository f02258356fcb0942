import type { Pool } from 'pg';
import { Clock } from '#runtime/clock';
import { Ids } from '#runtime/ids';
import type { DatabaseEpoch } from '#database/epoch';
import { AppendQueue, EpochMismatch } from './append-queue.js';
import { AppendStatement, type EventRow } from './append-statement.js';
import type { Metadata, NewEvent, RecordedEvent } from './event.js';
import { chainHash, GENESIS } from './hash-chain.js';
import { fold, type StreamDefinition } from './stream-definition.js';

/** A stream as it was read: its events, their state, the hash of the last one, on which the next is chained, and the epoch of the database. */
export type Stream<State, E extends NewEvent> = Readonly<{
  name: string;
  events: readonly RecordedEvent<E>[];
  state: State;
  lastHash: Buffer;
  epoch?: string | undefined;
}>;

export type AppendOptions = Readonly<{ metadata: Metadata; attachments?: Readonly<Record<string, unknown>> }>;

/** Somebody else appended to the stream since it was read. */
export class VersionConflict extends Error {
  constructor(readonly stream: string) {
    super(`${stream} has changed since it was read`);
  }
}

/** The database was restored since the stream was read: what was decided by it may be wrong, so nothing was written. */
export class EpochConflict extends VersionConflict {}

/** An inline writer's rows did not apply, so nothing was written. `writer` is its name, or the table whose unique index refused. */
export class ProjectionConflict extends Error {
  constructor(readonly writer: string) {
    super(`the append was undone by ${writer}`);
  }
}

// Two conflicts in a row happen to staff who click at once; a third means that something else is wrong.
const TRIES = 3;

/**
 * The log of events in Postgres. Knows no event by name.
 *
 * @example
 * await store.handle('order-ord_1', (order) => decide({ type: 'ChangeStatus', … }, order), { metadata });
 */
export class EventStore<State, E extends NewEvent> {
  private readonly queue: AppendQueue;

  constructor(
    private readonly pool: Pool,
    private readonly definition: StreamDefinition<State, E>,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly epoch?: DatabaseEpoch,
  ) {
    this.queue = new AppendQueue(pool, new AppendStatement(definition.writers), epoch);
  }

  /** The stream from its first event. A stream that does not exist is empty. Throws on an event of an unknown type. */
  async read(name: string): Promise<Stream<State, E>> {
    const { rows } = await this.pool.query<LoggedRow>({ name: 'read-stream', text: READ_STREAM, values: [name] });
    const events = rows.map((row) => recordedEvent(name, row)) as RecordedEvent<E>[];
    const state = fold(this.definition, events);
    return { name, events, state, lastHash: rows.at(-1)?.hash ?? GENESIS, epoch: this.epoch?.current };
  }

  /** A stream that is known to be new, e.g. because its id was just made. */
  fresh(name: string): Stream<State, E> {
    return { name, events: [], state: this.definition.initial, lastHash: GENESIS, epoch: this.epoch?.current };
  }

  /**
   * Writes the events after those of the stream, and what the inline writers make of them, in one statement.
   * @throws VersionConflict when the stream has moved on or the database was restored; ProjectionConflict when a writer's condition was not met.
   */
  async append(
    stream: Stream<State, E>,
    events: readonly E[],
    { metadata, attachments = {} }: AppendOptions,
  ): Promise<Stream<State, E>> {
    const recordedAt = this.clock.iso();
    const metadataText = JSON.stringify(metadata);
    const after = stream.events.length;
    let hash = stream.lastHash;
    const rows: EventRow[] = [];
    const appended = events.map((event, index): RecordedEvent<E> => {
      const row = { position: after + index + 1, event_id: this.ids.next('evt'), type: event.type };
      const recorded = { ...event, ...row, stream: stream.name, metadata, recorded_at: recordedAt };
      const data = JSON.stringify(event.data);
      hash = chainHash(hash, { ...recorded, data, metadata: metadataText });
      rows.push({ ...row, data, hash });
      return recorded;
    });
    const state = fold(this.definition, appended, stream.state);
    const commit = {
      stream: stream.name,
      past: stream.events,
      appended,
      before: stream.state,
      after: state,
      attachments,
    };
    const written = this.definition.writers.map((writer) => writer.rows(commit));
    const append = {
      stream: stream.name,
      after,
      metadata: metadataText,
      recordedAt,
      events: rows,
      written,
      epoch: stream.epoch,
    };
    await this.queue.write(append).catch((error: unknown) => {
      throw translated(error, stream.name);
    });
    return { ...stream, events: [...stream.events, ...appended], state, lastHash: hash };
  }

  /**
   * Reads, decides, appends; starts over when somebody else was quicker. Nothing decided means nothing written.
   * @param decide pure; returns what follows from the state, or the refusal as an Error with a code.
   * @returns `recorded`: whether there was anything to write.
   * @throws the refusal that `decide` returned; VersionConflict after three tries; ProjectionConflict.
   */
  async handle(
    name: string,
    decide: (state: State) => readonly E[] | Error,
    options: AppendOptions,
  ): Promise<{ stream: Stream<State, E>; recorded: boolean }> {
    for (let attempt = 1; ; attempt += 1) {
      const stream = await this.read(name);
      const decided = decide(stream.state);
      if (decided instanceof Error) throw decided;
      if (decided.length === 0) return { stream, recorded: false };
      try {
        return { stream: await this.append(stream, decided, options), recorded: true };
      } catch (error) {
        if (!(error instanceof VersionConflict) || attempt === TRIES) throw error;
      }
    }
  }
}

const READ_STREAM =
  'select position, event_id, type, data, metadata, recorded_at, hash from events where stream = $1 order by position';

type LoggedRow = {
  position: number;
  event_id: string;
  type: string;
  data: object;
  metadata: Metadata;
  recorded_at: Date;
  hash: Buffer;
};

function recordedEvent(stream: string, row: LoggedRow): RecordedEvent {
  const { position, event_id, type, data, metadata, recorded_at } = row;
  return { stream, position, event_id, type, data, metadata, recorded_at: recorded_at.toISOString() };
}

/** Postgres' error as what it means here; unknown ones as they are. */
function translated(error: unknown, stream: string): unknown {
  if (error instanceof EpochMismatch) return new EpochConflict(stream);
  const { code, detail, table } = error as { code?: string; detail?: string; table?: string };
  if (code === '23505') return table === 'events' ? new VersionConflict(stream) : new ProjectionConflict(String(table));
  if (code === 'WC001')
    return detail === 'position' ? new VersionConflict(stream) : new ProjectionConflict(String(detail));
  return error;
}
