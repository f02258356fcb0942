import type pg from 'pg';
import { databaseAddresses, READ_ONLY_SESSION } from '#base/database-address';

/**
 * Compiling a statement pays only for reports over whole tables. With `enable_seqscan=off` the planner thinks that every read of a small
 * table is one: on a server with its packaged defaults, the first statement of each connection cost 420 to 750 ms of CPU.
 */
export const NO_COMPILATION = '-c jit=off';

/** Whether connections with this configuration only read. */
export function onlyReads({ options }: Pick<pg.ClientConfig, 'options'>): boolean {
  return options?.includes(READ_ONLY_SESSION) ?? false;
}

/**
 * Whether a pool only reads. What is recorded beside an answer, such as who read it, is left out there: the answer does not depend on it.
 * @example if (!poolOnlyReads(this.pool)) await this.pool.query(NOTE, values);
 */
export function poolOnlyReads(pool: Pick<pg.Pool, 'options'>): boolean {
  return onlyReads(pool.options ?? {});
}

export type SessionConfig = Readonly<{ connectionString: string; application_name: string; options: string }>;

/**
 * What every session of ours begins with. `options` of the address come first, so that they cannot replace ours.
 * @param settings such as `-c role=…`
 */
export function sessionConfig(databaseUrl: string, name: string, settings: readonly string[] = []): SessionConfig {
  const { connectionString, ownOptions } = splitOptions(databaseUrl);
  const options = [ownOptions, NO_COMPILATION, ...settings].filter(Boolean).join(' ');
  return { connectionString, application_name: name, options };
}

/** pg takes the address of one server only. */
export function atFirstServer(config: pg.ClientConfig): pg.ClientConfig {
  const [first, ...others] = databaseAddresses(config.connectionString ?? '');
  return first && others.length > 0 ? { ...config, connectionString: first.href } : config;
}

/** Moves `options` out of the address, because pg would let them replace ours. */
function splitOptions(databaseUrl: string): { connectionString: string; ownOptions: string } {
  const ownOptions = databaseAddresses(databaseUrl)[0]?.searchParams.get('options') ?? '';
  if (ownOptions === '') return { connectionString: databaseUrl, ownOptions };
  const [address, query = ''] = databaseUrl.split(/\?(.*)/s);
  const others = new URLSearchParams(query);
  others.delete('options');
  return { connectionString: [address, others.toString()].filter(Boolean).join('?'), ownOptions };
}
