import { isDeepStrictEqual } from 'node:util';
import type { ClientBase } from 'pg';
import { isoTime } from '#event-store/stream-scan';
import { parseJson, stringifyJson } from '#base/json';
import type { Difference, Differences } from '../differences.js';
import type { PurchaseKeyRow } from '#orders/purchase-keys.projection';
import type { Replay, Row, WrittenTable } from './replay.js';

type StoredRow = Readonly<Record<string, string | null>>;
type RowsBySequence = ReadonlyMap<string, StoredRow>;

/** Compares row by row and column by column. Returns the number of rows. */
export async function compareRows(
  client: ClientBase,
  table: WrittenTable,
  replays: readonly Replay[],
  differences: Differences,
): Promise<number> {
  const stored = await storedRows(client, table, replays);
  let rows = 0;
  for (const replay of replays) {
    const ofOrder = stored.get(ownerOf(table, replay)) ?? new Map<string, StoredRow>();
    rows += ofOrder.size;
    for (const difference of compareOrder(table, replay, ofOrder)) differences.add(difference);
  }
  return rows;
}

/** A key exists while the purchase is valid, and is free when its payment failed. Returns the number of existing keys. */
export async function comparePurchaseKeys(
  client: ClientBase,
  replays: readonly Replay[],
  differences: Differences,
): Promise<number> {
  const keys = replays.flatMap(({ purchaseKey }) => purchaseKey ?? []);
  // The limit keeps the planner from reading all keys for each batch.
  const { rows } = await client.query<PurchaseKeyRow>(
    `select found.* from unnest($1::text[], $2::text[]) as wanted (client_id, key) cross join lateral (
       select client_id, key, order_id from purchase_keys k
       where k.client_id = wanted.client_id and k.key = wanted.key limit 1) as found`,
    [keys.map(({ client_id }) => client_id), keys.map(({ key }) => key)],
  );
  const owners = new Map(rows.map(({ client_id, key, order_id }) => [`${client_id} ${key}`, order_id]));
  let there = 0;
  for (const { client_id, key, order_id, isFree } of keys) {
    const isThere = owners.get(`${client_id} ${key}`) === order_id;
    if (isThere) there += 1;
    if (isThere !== isFree) continue;
    const problem = isFree ? 'the key of a failed attempt is still taken' : 'the key is missing';
    differences.add({ kind: 'purchase_keys', id: order_id, problem });
  }
  return there;
}

/** By sequence, with all values as text. */
async function storedRows(
  client: ClientBase,
  table: WrittenTable,
  replays: readonly Replay[],
): Promise<ReadonlyMap<string, RowsBySequence>> {
  const { overruled } = table;
  const read = [...Object.keys(table.columns), ...(overruled ? [overruled.by] : [])];
  const { rows } = await client.query<StoredRow>({
    text: `select ${read.join(', ')} from ${table.name} where ${table.key} = any($1) and ${table.derived ?? 'true'}`,
    values: [replays.map((replay) => ownerOf(table, replay))],
    types: { getTypeParser: () => (text: string) => text },
  });
  const byOrder = new Map<string, Map<string, StoredRow>>();
  for (const row of rows) {
    const order = String(row[table.key]);
    const ofOrder = byOrder.get(order) ?? new Map<string, StoredRow>();
    byOrder.set(order, ofOrder.set(sequenceOf(table, row), row));
  }
  return byOrder;
}

function sequenceOf({ sequence }: WrittenTable, row: Row): string {
  return sequence === undefined ? '' : String(row[sequence]);
}

/** What the column `key` of its rows holds. */
function ownerOf({ key }: WrittenTable, { stream, orderId }: Replay): string {
  return key === 'stream' ? stream : orderId;
}

function* compareOrder(table: WrittenTable, replay: Replay, stored: RowsBySequence): Generator<Difference> {
  const { rows } = replay;
  const differs = (sequence: string, problem: string): Difference => {
    const isNumbered = table.sequence === 'sequence' || table.sequence === 'position';
    if (sequence !== '' && !isNumbered) return { kind: table.name, id: sequence, problem };
    return { kind: table.name, id: ownerOf(table, replay), ...(isNumbered && { at: Number(sequence) }), problem };
  };
  const expected = new Map(rows[table.name].map((row) => [sequenceOf(table, row), row]));
  for (const [sequence, row] of expected) {
    const there = stored.get(sequence);
    if (!there) yield differs(sequence, 'the row is missing');
    for (const column of there ? differingColumns(table, row, there) : []) {
      yield { ...differs(sequence, 'is not what a replay gives'), column };
    }
  }
  for (const sequence of stored.keys()) {
    if (!expected.has(sequence)) yield differs(sequence, 'the row is one too many');
  }
}

function differingColumns({ columns, overruled }: WrittenTable, expected: Row, stored: StoredRow): string[] {
  const isOverruled = (name: string) => name === overruled?.column && stored[overruled.by] !== null;
  return Object.keys(columns).filter(
    (name) => !isOverruled(name) && !isSame(columns[name], expected[name] ?? null, stored[name] ?? null),
  );
}

function isSame(type: string | undefined, expected: unknown, stored: string | null): boolean {
  if (expected === null || stored === null) return expected === stored;
  if (type === 'timestamptz') return isoTime(stored) === expected;
  if (type === 'boolean') return stored === (expected ? 't' : 'f');
  if (type !== 'json') return stored === String(expected as string | number);
  const text = stringifyJson(expected);
  return stored === text || isDeepStrictEqual(parseJson(stored), parseJson(text));
}
