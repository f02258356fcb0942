import pg from 'pg';

/**
 * Compiling a statement pays only for reports over whole tables. With `enable_seqscan=off` the planner thinks that every read of a small
 * table is one: on a server with its packaged defaults, the first statement of each connection cost 420 to 750 ms of CPU.
 */
export const NO_COMPILATION = '-c jit=off';

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

/**
 * For work that needs no pool, and the rights of the login instead of the application's. Not connected yet.
 * @param settings as of `sessionConfig`
 */
export function singleClient(
  databaseUrl: string,
  name: string,
  more: pg.ClientConfig = {},
  settings: readonly string[] = [],
): pg.Client {
  return new pg.Client({ ...sessionConfig(databaseUrl, name, settings), ...more });
}

/** Moves `options` out of the address, because pg would let them replace ours. */
function splitOptions(databaseUrl: string): { connectionString: string; ownOptions: string } {
  if (!URL.canParse(databaseUrl)) return { connectionString: databaseUrl, ownOptions: '' };
  const address = new URL(databaseUrl);
  const ownOptions = address.searchParams.get('options') ?? '';
  if (ownOptions === '') return { connectionString: databaseUrl, ownOptions };
  address.searchParams.delete('options');
  return { connectionString: address.toString(), ownOptions };
}
