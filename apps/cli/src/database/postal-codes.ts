import { PostalCodes } from '#discovery/postal-codes';
import { withPool } from './with-pool.js';

/** Loads the bundled postal codes into a migrated database, unless they are there. */
export function loadPostalCodes(databaseUrl: string): Promise<void> {
  return withPostalCodes(databaseUrl, (postalCodes) => postalCodes.ensureLoaded());
}

export function postalCodesAreLoaded(databaseUrl: string): Promise<boolean> {
  return withPostalCodes(databaseUrl, (postalCodes) => postalCodes.areLoaded());
}

function withPostalCodes<T>(databaseUrl: string, work: (postalCodes: PostalCodes) => Promise<T>): Promise<T> {
  return withPool(databaseUrl, 'postal codes', (pool) => work(new PostalCodes(pool)));
}
