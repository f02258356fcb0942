import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseAddresses } from '#base/database-address';
import { dropConnection } from './drop-connection.js';
import { sessionConfig } from './session.js';
import { IS_READ_ONLY, UnusableDatabase } from './unusable-database.js';

const ANSWERS_WITHIN_MS = 3_000;
const OTHERS_WITHIN_MS = 300;
const ASK_AGAIN_AFTER_MS = 250;

/** Says what each server answered. */
class NoPrimary extends UnusableDatabase {
  constructor(answers: readonly string[]) {
    super(
      `None of the servers in the address of the database can be written: ${answers.join('; ')}. Promote a standby.`,
    );
  }
}

/** A server that can be written. */
export type Primary = Readonly<{ host: string; port: number; timeline: number }>;

/** @throws the reason why the server cannot be written */
type Ask = (address: URL) => Promise<Primary>;

/**
 * Finds the one of several servers that can be written, and remembers it. All are asked at once, so that a dead one costs no time. Of two that
 * can be written, the older timeline is an old primary that nobody stopped: what is written to it would be lost.
 */
export class PrimaryFinder {
  #last: Primary | undefined;
  #search: Promise<Primary> | undefined;

  constructor(
    private readonly addresses: readonly URL[],
    private readonly ask: Ask = askForRole,
  ) {}

  /** Concurrent calls share one search. @throws NoPrimary, or the error of a server that refuses the login */
  async find(): Promise<Primary> {
    if (this.#last) return this.#last;
    this.#search ??= this.#seek().finally(() => (this.#search = undefined));
    return (this.#last = await this.#search);
  }

  /** It did not answer, or is no primary any more. */
  forget(primary: Primary): void {
    if (this.#last === primary) this.#last = undefined;
  }

  async #seek(): Promise<Primary> {
    const found: Primary[] = [];
    const silent = new Set(this.addresses);
    const over = new AbortController();
    // A frozen server says nothing for seconds, and one of the others may be promoted meanwhile.
    const answers = this.addresses.map(async (address) => {
      for (;;) {
        const answer = await this.ask(address).catch((error: Error) => error);
        silent.delete(address);
        if (!(answer instanceof Error)) found.push(answer);
        if (found.length > 0 || silent.size === 0) over.abort();
        if (!(answer instanceof Error)) return;
        await sleep(ASK_AGAIN_AFTER_MS, undefined, { signal: over.signal }).catch(() => Promise.reject(answer));
      }
    });
    const all = Promise.allSettled(answers);
    await Promise.any(answers).catch(({ errors }: AggregateError) => {
      throw whyNone(this.addresses, errors as Error[]);
    });
    await Promise.race([all, sleep(OTHERS_WITHIN_MS)]);
    const [first, ...others] = found;
    if (!first) throw new NoPrimary([]);
    return others.reduce((best, each) => (each.timeline > best.timeline ? each : best), first);
  }
}

/** A refused login is the same on all servers, and has advice of its own. */
function whyNone(addresses: readonly URL[], errors: readonly Error[]): Error {
  const isRefusal = (error: Error) => error instanceof pg.DatabaseError && !error.code?.startsWith('57P');
  if (errors.some(isRefusal) && !errors.some((error) => error instanceof IsStandby)) {
    return errors.find(isRefusal) as Error;
  }
  return new NoPrimary(errors.map(({ message }, index) => `${addresses[index]?.host}: ${message}`));
}

class IsStandby extends Error {
  override readonly message = 'is a standby, or read-only';
}

// The timeline of a checkpoint would be the old one for a while after a promotion.
const TIMELINE = `select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`;

async function askForRole(address: URL): Promise<Primary> {
  const client = new pg.Client({
    ...sessionConfig(address.href, 'willcall search'),
    connectionTimeoutMillis: ANSWERS_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await rejectStandby(client);
    // A managed server may hide it.
    const timeline = await client.query<{ timeline: number }>(TIMELINE).catch(() => undefined);
    return { host: client.host, port: client.port, timeline: timeline?.rows[0]?.timeline ?? 0 };
  } finally {
    dropConnection(client);
  }
}

/** @throws if the server cannot be written */
export async function rejectStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ read_only: boolean }>(IS_READ_ONLY);
  if (rows[0]?.read_only) throw new IsStandby();
}

const finders = new Map<string, PrimaryFinder>();

/** All connections of this process to these servers share one. Undefined if the address names a single server. */
export function primaryFinder(databaseUrl: string): PrimaryFinder | undefined {
  const known = finders.get(databaseUrl);
  if (known) return known;
  const addresses = databaseAddresses(databaseUrl);
  if (addresses.length < 2) return undefined;
  const finder = new PrimaryFinder(addresses);
  finders.set(databaseUrl, finder);
  return finder;
}
