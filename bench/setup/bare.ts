import type { BenchDatabase } from './database.js';
import { type Service, startService } from './service.js';

/** Starts the bare server (`bench/bare`), which is the limit, on the same database. */
export function startBare({ url }: BenchDatabase): Promise<Service> {
  return startService({
    file: 'bench/bare/main.js',
    args: (port) => [JSON.stringify({ port, databaseUrl: url })],
    readyPath: '/ready',
  });
}
