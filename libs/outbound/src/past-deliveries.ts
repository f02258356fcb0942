import type { ClientBase } from 'pg';
import type { Randomness } from '#base/randomness';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

// The default schedule: waits that double up to ten hours, for 75 hours.
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 600 * MINUTE_MS;
const TRIED_FOR_MS = 75 * 60 * MINUTE_MS;

// Of a thousand pings.
const SLOW_OF_1000 = 35;
const PARKED_OF_1000 = 12;

const FAILURES = [
  [503, 'the platform answered 503'],
  [500, 'the platform answered 500'],
  [null, 'no answer within 15 s'],
] as const;

type DuePing = Readonly<{ order_id: string; sequence: number; version: number; occurred_at: Date; is_last: boolean }>;
type Attempt = Readonly<{ at: number; duration_ms: number; http_status: number | null; error: string | null }>;

/**
 * For sample orders: writes all due pings of the transaction as delivered when they were due, a few after failures, and some as parked.
 * Nothing is sent. The platform has read the orders whose last ping was delivered.
 */
export async function writePastDeliveries(client: ClientBase, now: number, random: Randomness): Promise<void> {
  const { rows } = await client.query<DuePing>(DUE);
  const attempts: object[] = [];
  const pings = rows.map(({ order_id, sequence, version, occurred_at: occurredAt, is_last: isLast }) => {
    const age = now - occurredAt.getTime();
    // Only the last ping of an order, because a parked one holds back those after it.
    const isParked = isLast && age > TRIED_FOR_MS && age < 12 * DAY_MS && random.fraction() < PARKED_OF_1000 / 100;
    const made = isParked ? failedFor(occurredAt.getTime(), random) : deliveredSoon(occurredAt.getTime(), random);
    attempts.push(
      ...made.map(({ at, ...attempt }, index) => {
        return { order_id, sequence, attempt: index + 1, started_at: new Date(at), ...attempt };
      }),
    );
    const last = made.at(-1);
    const end = new Date((last?.at ?? 0) + (last?.duration_ms ?? 0));
    const state = isParked ? 'parked' : 'delivered';
    return { order_id, sequence, version, tries: made.length, state, at: end, is_read: isLast && !isParked };
  });
  await client.query(WRITE_PINGS, [JSON.stringify(pings)]);
  await client.query(WRITE_ATTEMPTS, [JSON.stringify(attempts)]);
  await client.query(WRITE_READS, [JSON.stringify(pings.filter(({ is_read: isRead }) => isRead))]);
}

function deliveredSoon(from: number, random: Randomness): Attempt[] {
  const failures = random.fraction() < SLOW_OF_1000 / 1_000 ? 1 + Math.floor(random.fraction() * 3) : 0;
  const made = Array.from({ length: failures }, (_, at) => failure(from + waited(at), random));
  const at = from + waited(failures) + 20 + Math.floor(random.fraction() * 60);
  return [...made, { at, duration_ms: 14 + Math.floor(random.fraction() ** 4 * 900), http_status: 200, error: null }];
}

function failedFor(from: number, random: Randomness): Attempt[] {
  const made: Attempt[] = [];
  for (let wait = 0; wait < TRIED_FOR_MS; wait = waited(made.length)) made.push(failure(from + wait, random));
  return made;
}

/** The time from the first attempt to the one after this many. */
function waited(attempts: number): number {
  let sum = 0;
  for (let at = 0; at < attempts; at += 1) sum += Math.min(FIRST_WAIT_MS * 2 ** at, LONGEST_WAIT_MS);
  return sum;
}

function failure(at: number, random: Randomness): Attempt {
  const [http_status, error] = FAILURES[Math.floor(random.fraction() * FAILURES.length)] ?? FAILURES[0];
  const duration_ms = http_status === null ? 15_000 : 20 + Math.floor(random.fraction() * 400);
  return { at, duration_ms, http_status, error };
}

const DUE = `
  select order_id, sequence, orders.version, occurred_at,
    sequence = max(sequence) over (partition by order_id) as is_last
  from pings join orders on orders.id = order_id where state = 'pending' order by order_id, sequence`;

const WRITE_PINGS = `
  update pings set state = made.state, next_try_at = null, due_since = occurred_at, tries = made.tries,
    attempts = made.tries, delivered_at = case made.state when 'delivered' then made.at end
  from json_to_recordset($1) as made (order_id text, sequence int, tries int, state text, at timestamptz)
  where pings.order_id = made.order_id and pings.sequence = made.sequence`;

const WRITE_ATTEMPTS = `
  insert into ping_attempts (order_id, sequence, attempt, started_at, duration_ms, http_status, error)
  select order_id, sequence, attempt, started_at, duration_ms, http_status, error
  from json_to_recordset($1) as made (order_id text, sequence int, attempt int, started_at timestamptz,
    duration_ms int, http_status int, error text)`;

const WRITE_READS = `
  insert into platform_reads (order_id, version, read_at)
  select order_id, version, at + interval '180 ms'
  from json_to_recordset($1) as made (order_id text, version int, at timestamptz)`;
