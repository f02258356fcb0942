import { SpanKind } from '@opentelemetry/api';
import type { ClientBase, Pool } from 'pg';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';
import { stringifyJson } from '#base/json';
import { activeTraceparent, type SpanStart, traced } from '#base/tracing';
import type { LedgerKey } from './hash-chain.js';
import type { DatabaseEpoch } from '#database/epoch';
import { AppendQueue, EpochMismatch } from './append-queue.js';
import { statementsOf } from './append-batches.js';
import { type AppendedRows, AppendStatement, type EventRow } from './append-statement.js';
import { type EventArchive, UnreadableArchive } from './event-archive.js';
import type { Metadata, NewEvent, RecordedEvent } from './event.js';
import { OutboxDoorbell } from './outbox-doorbell.js';
import { chainHash, GENESIS } from './hash-chain.js';
import { fold, type StreamDefinition } from './stream-definition.js';

/** The next event is chained to `lastHash`. `epoch` is the database's epoch when the stream was read. */
export type Stream<State, E extends NewEvent> = Readonly<{
  name: string;
  events: readonly RecordedEvent<E>[];
  state: State;
  lastHash: Buffer;
  epoch?: string | undefined;
}>;

export type EventStoreOptions = Readonly<{
  epoch?: DatabaseEpoch;
  /** Makes the hashes of events. Without it they are plain hashes, which `verify` does not accept after keyed ones. */
  key?: LedgerKey;
  /** Has the texts of old events. Without it, streams with such events cannot be read. */
  archive?: EventArchive;
}>;

export type AppendOptions = Readonly<{ metadata: Metadata; attachments?: Readonly<Record<string, unknown>> }>;

/** Another writer appended to the stream after it was read. */
export class VersionConflict extends Error {
  constructor(readonly stream: string) {
    super(`${stream} has changed since it was read`);
  }
}

/** The database was restored after the stream was read, so the decision may be wrong. Nothing was written. */
export class EpochConflict extends VersionConflict {}

/** The rows of an inline projection did not apply, so nothing was written. `projection` is its name or the table of the unique index. */
export class ProjectionConflict extends Error {
  constructor(readonly projection: string) {
    super(`the projection ${projection} rolled back the append`);
  }
}

// Two conflicts in a row happen when staff act at the same time. A third means that something else is wrong.
const MAX_ATTEMPTS = 3;

const appendTo = (stream: string): SpanStart => ({
  name: 'append',
  kind: SpanKind.CLIENT,
  attributes: { 'db.system.name': 'postgresql', 'db.operation.name': 'append', 'willcall.stream': stream },
});

/**
 * @example await store.handle('order-ord_1', (order) => decide({ type: 'ChangeStatus', … }, order), { metadata });
 */
export class EventStore<State, E extends NewEvent> {
  private readonly statement: AppendStatement;
  private readonly queue: AppendQueue;
  private readonly doorbell: OutboxDoorbell;

  constructor(
    private readonly pool: Pool,
    private readonly definition: StreamDefinition<State, E>,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly options: EventStoreOptions = {},
  ) {
    this.statement = new AppendStatement(definition.projections);
    this.queue = new AppendQueue(pool, this.statement, options.epoch);
    this.doorbell = new OutboxDoorbell(clock);
  }

  /** A stream that does not exist is empty. Throws on an event of an unknown type. */
  async read(name: string): Promise<Stream<State, E>> {
    const { rows } = await this.pool.query<LoggedRow>({ name: 'read-stream', text: READ_STREAM, values: [name] });
    return this.folded(name, await this.complete(rows, this.pool));
  }

  /** Like `read`, for several streams at once and in the order of their names. */
  async readAll(names: readonly string[], connection: ClientBase | Pool = this.pool): Promise<Stream<State, E>[]> {
    const query = { name: 'read-streams', text: READ_STREAMS, values: [names] };
    const { rows } = await connection.query<LoggedRow>(query);
    const byName = new Map<string, LoggedRow[]>(names.map((name) => [name, []]));
    for (const row of await this.complete(rows, connection)) byName.get(row.stream)?.push(row);
    return names.map((name) => this.folded(name, byName.get(name) ?? []));
  }

  /** Does not read. For a stream that is certainly new, e.g. because its id was just generated. */
  fresh(name: string): Stream<State, E> {
    return { name, events: [], state: this.definition.initial, lastHash: GENESIS, epoch: this.options.epoch?.current };
  }

  /**
   * Writes the events and the rows of the inline projections in one statement.
   * @throws VersionConflict if the stream has changed or the database was restored; ProjectionConflict
   */
  async append(stream: Stream<State, E>, events: readonly E[], options: AppendOptions): Promise<Stream<State, E>> {
    return await traced(appendTo(stream.name), async () => {
      const { rows, after } = this.prepared(stream, events, options);
      await this.write(rows).catch((error: unknown) => {
        throw translated(error, stream.name);
      });
      return after;
    });
  }

  /**
   * Appends to several streams in the transaction of the caller, which must have read them in that transaction. If it throws, the
   * transaction must be rolled back. Contended rows are locked in one order, so that two such transactions do not block each other.
   * @returns the streams after the appends, in the order of `appends`
   * @throws VersionConflict if one of the streams has changed; ProjectionConflict
   */
  async appendAll(
    client: ClientBase,
    appends: readonly Readonly<{ stream: Stream<State, E>; events: readonly E[]; options: AppendOptions }>[],
  ): Promise<Stream<State, E>[]> {
    return await traced(appendTo(`${appends.length} streams`), async () => {
      const prepared = appends.map(({ stream, events, options }) => this.prepared(stream, events, options));
      const rows = prepared.map((one) => one.rows);
      for (const { stream, query } of statementsOf(this.statement, rows)) {
        await client.query(query).catch((error: unknown) => {
          throw translated(error, stream);
        });
      }
      await this.doorbell.ringAtCommit(client);
      return prepared.map(({ after }) => after);
    });
  }

  private prepared(
    stream: Stream<State, E>,
    events: readonly E[],
    { metadata: given, attachments = {} }: AppendOptions,
  ): Readonly<{ rows: AppendedRows; after: Stream<State, E> }> {
    const recordedAt = this.clock.iso();
    const traceparent = activeTraceparent();
    const metadata = traceparent === undefined ? given : { ...given, traceparent };
    const metadataText = stringifyJson(metadata);
    const after = stream.events.length;
    let hash = stream.lastHash;
    const rows: EventRow[] = [];
    const appended = events.map((event, index): RecordedEvent<E> => {
      const row = { position: after + index + 1, event_id: this.ids.next('evt'), type: event.type };
      const recorded = { ...event, ...row, stream: stream.name, metadata, recorded_at: recordedAt };
      const data = stringifyJson(event.data);
      hash = chainHash(hash, { ...recorded, data, metadata: metadataText }, this.options.key);
      rows.push({ ...row, data, hash });
      return recorded;
    });
    const state = fold(this.definition, appended, stream.state);
    const context = {
      stream: stream.name,
      past: stream.events,
      appended,
      before: stream.state,
      after: state,
      attachments,
    };
    const written = this.definition.projections.map((projection) => projection.rows(context));
    return {
      rows: {
        stream: stream.name,
        after,
        metadata: metadataText,
        recordedAt,
        events: rows,
        written,
        epoch: stream.epoch,
      },
      after: { ...stream, events: [...stream.events, ...appended], state, lastHash: hash },
    };
  }

  private async complete(rows: LoggedRow[], connection: ClientBase | Pool): Promise<LoggedRow[]> {
    const archived = rows.find(({ metadata }) => metadata === null);
    if (!archived) return rows;
    if (!this.options.archive) throw new UnreadableArchive(archived.stream);
    return await this.options.archive.complete(connection, rows);
  }

  private folded(name: string, rows: readonly LoggedRow[]): Stream<State, E> {
    const events = rows.map((row) => recordedEvent(row)) as RecordedEvent<E>[];
    const state = fold(this.definition, events);
    return { name, events, state, lastHash: rows.at(-1)?.hash ?? GENESIS, epoch: this.options.epoch?.current };
  }

  protected async write(append: AppendedRows): Promise<void> {
    await this.queue.write(append);
    this.doorbell.ring(this.pool);
  }

  /**
   * Reads, decides and appends. Starts over if another writer was faster.
   * @param decide must be pure. Returns the new events, or an Error to reject the command.
   * @returns `recorded`: whether anything was written
   * @throws the error that `decide` returned; VersionConflict after three attempts; ProjectionConflict
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
        if (!(error instanceof VersionConflict) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }
}

const READ_STREAM =
  'select stream, position, event_id, type, data, metadata, recorded_at, hash from events where stream = $1 order by position';

const READ_STREAMS = `
  select stream, position, event_id, type, data, metadata, recorded_at, hash from events
  where stream = any($1) order by stream, position`;

type LoggedRow = {
  stream: string;
  position: number;
  event_id: string;
  type: string;
  data: object;
  metadata: Metadata;
  recorded_at: Date;
  hash: Buffer;
};

function recordedEvent(row: LoggedRow): RecordedEvent {
  const { stream, position, event_id, type, data, metadata, recorded_at } = row;
  return { stream, position, event_id, type, data, metadata, recorded_at: recorded_at.toISOString() };
}

function translated(error: unknown, stream: string): unknown {
  if (error instanceof EpochMismatch) return new EpochConflict(stream);
  const { code, detail, table } = error as { code?: string; detail?: string; table?: string };
  // PostgreSQL names the partition.
  if (code === '23505')
    return /^events(_|$)/.test(String(table)) ? new VersionConflict(stream) : new ProjectionConflict(String(table));
  if (code === 'WC001')
    return detail === 'position' ? new VersionConflict(stream) : new ProjectionConflict(String(detail));
  return error;
}
