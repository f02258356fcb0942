import type { Pool } from 'pg';

/** Parties with their own record of our orders. */
export type Party = 'platform' | 'provider' | 'webhooks';

/** Fields that the party does not know are not compared. */
export type KnownRecord = Readonly<{
  order_id: string;
  /** Of a status: 1, 2, 3 … within the order. */
  sequence?: number | undefined;
  status_code?: number | undefined;
  /** For people: the id of a payment or a message. */
  reference?: string | undefined;
}>;

/** `unknown_change`: we have the order, but not that change. `other_change`: the change with this number is a different one here. */
export type Missing = Readonly<
  { party: Party; kind: 'unknown_order' | 'unknown_change' | 'other_change' } & KnownRecord
>;

const AT_ONCE = 1_000;

/** Finds what a party knows and we do not, e.g. after a restore that lost the newest orders. Reads only. */
export async function* missingHere(
  pool: Pool,
  party: Party,
  records: AsyncIterable<KnownRecord>,
): AsyncGenerator<Missing, void, undefined> {
  let batch: KnownRecord[] = [];
  for await (const record of records) {
    if (batch.push(record) < AT_ONCE) continue;
    yield* await compared(pool, party, batch);
    batch = [];
  }
  yield* await compared(pool, party, batch);
}

async function compared(pool: Pool, party: Party, records: readonly KnownRecord[]): Promise<Missing[]> {
  if (records.length === 0) return [];
  const values = [
    records.map((record) => record.order_id),
    records.map((record) => record.sequence ?? null),
    records.map((record) => record.status_code ?? null),
  ];
  const { rows } = await pool.query<{ at: number; kind: Missing['kind'] }>(COMPARE, values);
  return rows.flatMap(({ at, kind }) => {
    const record = records[at - 1];
    return record ? [{ party, kind, ...record }] : [];
  });
}

// An order without a status yet is in the log and not in `orders`. A status code without a sequence is known if the order ever had it.
const COMPARE = `
  select at::int, kind from (
    select at, case
      when not exists (select from events where stream = 'order-' || known.order_id and position = 1) then 'unknown_order'
      when sequence is not null and not exists (
        select from pings where pings.order_id = known.order_id and pings.sequence = known.sequence) then 'unknown_change'
      when sequence is not null and status_code is not null and not exists (
        select from pings where pings.order_id = known.order_id and pings.sequence = known.sequence
          and pings.status_code = known.status_code) then 'other_change'
      when sequence is null and status_code is not null and not exists (
        select from pings where pings.order_id = known.order_id and pings.status_code = known.status_code)
        then 'unknown_change'
      end as kind
    from unnest($1::text[], $2::int[], $3::int[]) with ordinality as known (order_id, sequence, status_code, at)) as judged
  where kind is not null order by at`;
