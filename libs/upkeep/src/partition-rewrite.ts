import type { ClientBase, Pool } from 'pg';
import { isLockTimeout } from '#database/database-errors';
import { retryWhileLocked } from '#database/lock-retry';
import { asOnlyRebuild } from '#orders/rebuild';

/** `isBusy`: somebody read it all the time, so it is as it was. Sizes are with indexes. */
export type Rewritten = Readonly<{ name: string; bytesBefore: number; bytes: number; isBusy: boolean }>;

type Part = Readonly<{ name: string; bound: string; check: string; archived: string; bytes: string }>;

type RewriteOptions = Readonly<{
  /** Only partitions whose months were over by then: purchases do not write to them. */
  endedBy: Date;
  onPartition?: (name: string) => void;
  /** Between the tries to exchange a partition. */
  wait?: (ms: number) => Promise<unknown>;
}>;

/**
 * Writes partitions of `events` anew whose texts are in the archive, because a vacuum gives their space to new rows of the same partition,
 * and none will come. Everything goes on meanwhile. The pool is the owner's, without a statement timeout.
 * @throws TablesInUse during a rebuild or a verification
 */
export async function rewritePartitions(pool: Pool, options: RewriteOptions): Promise<readonly Rewritten[]> {
  return await asOnlyRebuild(pool, async (client) => {
    const { rows: parts } = await client.query<Part>(PARTS, [options.endedBy]);
    const rewritten: Rewritten[] = [];
    for (const part of parts) {
      options.onPartition?.(part.name);
      rewritten.push(await rewrite(client, part, options));
    }
    return rewritten;
  });
}

async function rewrite(client: ClientBase, part: Part, { wait }: RewriteOptions): Promise<Rewritten> {
  const { name, check, bytes: bytesBefore } = part;
  const copy = `${name}_slim`;
  await client.query(`
    drop table if exists ${copy};
    create table ${copy} (like events including all);
    alter table ${copy} add constraint ${copy}_bounds check (${check})`);
  const began = await endOfFeed(client);
  await client.query(`insert into ${copy} select * from ${name}`);
  await client.query(`analyze ${copy}`);
  const caughtUp = await endOfFeed(client);
  await addNewer(client, part, copy, began);
  const { rowCount: missing } = await client.query(missingFrom(part, copy), [caughtUp]);
  if (missing !== 0) throw new Error(`The copy of ${name} lacks events.`);
  const exchanged = retryWhileLocked(() => exchange(client, part, copy, caughtUp), wait);
  const isBusy = await exchanged.then(
    () => false,
    async (error: unknown) => {
      await client.query(`drop table ${copy}`);
      if (isLockTimeout(error)) return true;
      throw error;
    },
  );
  const { rows } = await client.query<{ bytes: string }>('select pg_total_relation_size($1::regclass) as bytes', [
    name,
  ]);
  return { name, bytesBefore: Number(bytesBefore), bytes: Number(rows[0]?.bytes), isBusy };
}

// Autovacuum comes to the partition because of what was archived, and may take minutes. It gives way to whoever has waited for a second
// (deadlock_timeout). Nobody else waits behind this lock.
const WITHOUT_VACUUM = (name: string) =>
  `set local lock_timeout = '2s'; lock table only ${name} in share update exclusive mode`;

/** All statements on events wait behind one that waits for its exclusive lock, so it waits for a moment only. */
async function exchange(client: ClientBase, part: Part, copy: string, caughtUp: string): Promise<void> {
  const { name, bound, archived } = part;
  await client.query('begin');
  try {
    await client.query(WITHOUT_VACUUM(name));
    await client.query(`set local lock_timeout = '25ms'; lock table only events in access exclusive mode`);
    await addNewer(client, part, copy, caughtUp);
    await client.query(`
      alter table events detach partition ${name};
      drop table ${name};
      alter table ${copy} rename to ${name}`);
    const { rows: indexes } = await client.query<{ name: string }>(INDEXES, [name]);
    for (const index of indexes) {
      await client.query(`alter index ${index.name} rename to ${index.name.replace(copy, name)}`);
    }
    await client.query(`
      create trigger stays before truncate on ${name} for each statement execute function refuse_change();
      alter table events attach partition ${name} ${bound};
      alter table ${name} drop constraint ${copy}_bounds;
      comment on table ${name} is '${archived}';
      set local synchronous_commit = on;
      commit`);
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function endOfFeed(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ end: string }>('select coalesce(max(position), 0) as end from feed');
  return rows[0]?.end ?? '0';
}

/** Each event comes to the outbox with its transaction, and from there to the end of the feed. */
const newerStreams = ({ check }: Part) =>
  `select stream from feed where position > $1 and ${check} union select stream from outbox where ${check}`;

const isInCopy = (copy: string) =>
  `exists (select from ${copy} c where c.stream = e.stream and c.position = e.position)`;

async function addNewer(client: ClientBase, part: Part, copy: string, after: string): Promise<void> {
  await client.query(
    `insert into ${copy} select e.* from ${part.name} e
     where e.stream in (${newerStreams(part)}) and not ${isInCopy(copy)}`,
    [after],
  );
}

/** $1: the end of the feed before the last of them were added. */
const missingFrom = (part: Part, copy: string) => `
  select from ${part.name} e where not ${isInCopy(copy)} and e.stream not in (${newerStreams(part)}) limit 1`;

// The comment says how many archived events a partition had when it was written anew.
const PARTS = `
  select name, bound, "check", archived, bytes from (
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound, pg_get_partition_constraintdef(c.oid) as "check",
      c.reltuples as events, coalesce(obj_description(c.oid, 'pg_class')::bigint, 0) as known, pg_total_relation_size(c.oid) as bytes,
      (select coalesce(sum(a.events), 0) from archived_streams a where a.stream < partition_end(c.oid)
        and a.stream >= coalesce((regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''([^'']+)''\\)'))[1], '')) as archived
    from pg_inherits join pg_class c on c.oid = inhrelid
    where inhparent = 'events'::regclass and partition_end(c.oid) <= partition_bound('order-ord_', $1::timestamptz at time zone 'UTC')
  ) as parts
  where archived > known and archived - known >= 0.2 * greatest(events, 0)
  order by name`;

const INDEXES = `select indexrelid::regclass::text as name from pg_index where indrelid = $1::regclass`;
