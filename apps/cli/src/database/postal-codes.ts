import { PostalCodes } from '#catalogue/postal-codes';
import { createPool } from '#database/pool';

/** Loads the bundled postal codes into a migrated database, unless they are there. */
export function loadPostalCodes(databaseUrl: string): Promise<void> {
  return withPostalCodes(databaseUrl, (postalCodes) => postalCodes.ensureLoaded());
}

export function postalCodesAreLoaded(databaseUrl: string): Promise<boolean> {
  return withPostalCodes(databaseUrl, (postalCodes) => postalCodes.areLoaded());
}

async function withPostalCodes<T>(databaseUrl: string, work: (postalCodes: PostalCodes) => Promise<T>): Promise<T> {
  const onError = () => undefined;
  const pool = createPool({ databaseUrl, max: 1, applicationName: 'willcall postal codes', onError });
  try {
    return await work(new PostalCodes(pool));
  } finally {
    await pool.end();
  }
}
