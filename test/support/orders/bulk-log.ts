import type { ClientBase, Pool } from 'pg';
import type { OrderCommand } from '#domain/order';
import type { OrderEvent, ReceivedPurchase } from '#domain/order-events';
import { type KnownOrder, type Order, orderFold } from '#domain/order-state';
import { orderStream } from '#domain/order-stream';
import type { RecordedEvent } from '#event-store/event';
import { chainHash, GENESIS } from '#event-store/hash-chain';
import type { AppendContext, InlineProjection } from '#event-store/inline-projection';
import { fold } from '#event-store/stream-definition';
import { NO_BUYER_DIGESTS } from '#orders/buyer-digests';
import { OrderRules } from '#orders/order-changes';
import { loadStatusCatalogue } from '#orders/status-catalogue-file';
import { ORDER_STREAM } from '#orders/order-stream';
import { TimeOrderedIds } from '#base/ids';
import { SeededRandomness } from '#base/seeded-randomness';
import { randomCommand, randomPurchase } from './random-orders.js';

const ORDERS_AT_ONCE = 1_000;
const LISTINGS = 500;
const OFFERED = 1_000_000;
const SEED = 1;
const START_MS = Date.parse('2026-01-01T00:00:00Z');

type OrderAppend = AppendContext<Order, OrderEvent>;
type LoggedCommit = OrderAppend & { hashes: readonly Buffer[] };

export type BulkLog = Readonly<{
  /** The time between two purchases. */
  everyMs?: number;
  /** Changes the random purchases. */
  purchase?: (purchase: ReceivedPurchase, number: number) => ReceivedPurchase;
  /** What happens to the order afterwards. Without it, random commands. */
  history?: (orderId: string, purchase: ReceivedPurchase) => readonly OrderCommand[];
}>;

/**
 * Fills an empty database with so many orders, for measurements: everything that appends would have written, but much faster. Needs
 * the owner's pool. Returns the number of events.
 */
export async function fillLog(pool: Pool, orders: number, log: BulkLog = {}): Promise<number> {
  const random = new SeededRandomness(SEED);
  await pool.query(
    `insert into listings (id, terms, offered, available, created_at, updated_at)
     select 'listing-' || n, '{"eventId":"event","splitRule":"any"}', $2, $2, now(), now() from generate_series(1, $1) n`,
    [LISTINGS, OFFERED],
  );
  const client = await pool.connect();
  let events = 0;
  try {
    for (let first = 0; first < orders; first += ORDERS_AT_ONCE) {
      const count = Math.min(ORDERS_AT_ONCE, orders - first);
      const histories = Array.from({ length: count }, (_, index) => randomHistory(random, first + index, log));
      events += await writeHistories(client, histories, events);
    }
    await client.query(
      `update listings set offered = offered + held from
         (select listing_id, sum(stock_held) as held from orders group by listing_id) as h where h.listing_id = listings.id`,
    );
  } finally {
    client.release();
  }
  await pool.query('analyze');
  return events;
}

const rules = new OrderRules(loadStatusCatalogue());
const ids = new TimeOrderedIds();

/** The appends of one order, in sequence. */
function randomHistory(
  random: SeededRandomness,
  number: number,
  { everyMs = 250, purchase: changed = (unchanged) => unchanged, history }: BulkLog,
): LoggedCommit[] {
  const orderId = ids.next('ord');
  const stream = orderStream(orderId);
  const offer = { listingId: `listing-${1 + random.integer(LISTINGS)}`, eventId: 'event', version: 1 };
  const purchase = changed(randomPurchase(random, offer, number), number);
  const given = history?.(orderId, purchase);
  const next = (step: number, order: Order) => (given ? given[step] : randomCommand(random, order as KnownOrder));
  const commits: LoggedCommit[] = [];
  let order = orderFold.initial;
  let at = START_MS + number * everyMs;
  for (let step = 0; step < 8; step += 1) {
    const command = step === 0 ? ({ type: 'ReceivePurchase', purchase } as const) : next(step - 1, order);
    if (!command) break;
    const decided = rules.decide(command, order);
    if (decided instanceof Error || decided.length === 0) continue;
    const commit = commitAfter(commits.at(-1), stream, decided, new Date(at).toISOString());
    order = commit.after;
    commits.push(commit);
    at += random.integer(3_600_000);
  }
  return commits;
}

function commitAfter(
  before: LoggedCommit | undefined,
  stream: string,
  events: readonly OrderEvent[],
  recordedAt: string,
): LoggedCommit {
  const past = before ? [...before.past, ...before.appended] : [];
  const metadata = { transaction_id: `tx-${stream.slice(-12)}-${past.length}`, actor: 'staff:administrator' };
  let hash = before?.hashes.at(-1) ?? GENESIS;
  const hashes: Buffer[] = [];
  const appended = events.map((event, index): RecordedEvent<OrderEvent> => {
    const position = past.length + index + 1;
    const recorded = { ...event, stream, position, event_id: ids.next('evt'), metadata, recorded_at: recordedAt };
    hash = chainHash(hash, { ...recorded, data: JSON.stringify(event.data), metadata: JSON.stringify(metadata) });
    hashes.push(hash);
    return recorded;
  });
  const first = past.length === 0 ? (events[0]?.data as { personal?: string | null }) : undefined;
  const attachments = first?.personal ? { personalDataKey: { key: hash, digests: NO_BUYER_DIGESTS } } : {};
  const state = before?.after ?? orderFold.initial;
  return { stream, past, appended, before: state, after: fold(orderFold, appended, state), attachments, hashes };
}

/** Appends of the same number are together in the log, because in reality the events of open orders alternate. */
async function writeHistories(
  client: ClientBase,
  histories: readonly LoggedCommit[][],
  before: number,
): Promise<number> {
  const commits = histories
    .flatMap((history) => history.map((commit, number) => ({ commit, number })))
    .toSorted((a, b) => a.number - b.number)
    .map(({ commit }) => commit);
  const events = commits.flatMap(({ appended, hashes }) =>
    appended.map((event, index) => ({ ...event, hash: `\\x${hashes[index]?.toString('hex')}` })),
  );
  await client.query('begin');
  await client.query(
    `with written as (
       insert into events (stream, position, event_id, type, data, metadata, recorded_at, hash)
       select e.* from json_to_recordset($1::json) as e(stream text, position int, event_id text, type text, data json,
         metadata json, recorded_at timestamptz, hash bytea))
     insert into feed (position, stream, stream_position)
     select $2 + row_number() over (), stream, position from json_to_recordset($1::json) as e(stream text, position int)`,
    [JSON.stringify(events), before],
  );
  for (const writer of ORDER_STREAM.projections)
    await runWriter(client, writer, writer.name === 'orders' ? lastOf(histories) : commits);
  await client.query('commit');
  return events.length;
}

/** An order's row comes from its whole stream, so only the last append writes it. */
function lastOf(histories: readonly LoggedCommit[][]): LoggedCommit[] {
  return histories.flatMap((history) => history.slice(-1));
}

async function runWriter(
  client: ClientBase,
  writer: InlineProjection<Order, OrderEvent>,
  commits: readonly LoggedCommit[],
): Promise<void> {
  // The stock writer takes one listing at a time. `fillLog` sets the stock at the end.
  if (writer.name === 'stock') return;
  const columns = Object.entries(writer.columns).map(([name, type]) => ({ name: `"${name}"`, type }));
  const rows = commits.flatMap((commit) => writer.rows(commit));
  // A row has its arrays as PostgreSQL writes them, and JSON would have its own.
  const read = columns.map(({ name, type }) => `${name} ${type.endsWith('[]') ? 'text' : type}`).join(', ');
  const cast = columns.map(({ name, type }) => `${name}::${type}`).join(', ');
  const source = `(select ${cast} from json_to_recordset($1::json) as r(${read})) as "${writer.name}"`;
  if (rows.length > 0) await client.query(writer.statement(source), [JSON.stringify(rows)]);
}
