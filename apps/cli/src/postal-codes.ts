import { PostalCodes } from '#catalogue/postal-codes';
import { createPool } from '#database/pool';

/** Puts the postal codes that Willcall brings along into a migrated database, where they are not there yet. */
export function loadPostalCodes(databaseUrl: string): Promise<void> {
  return using(databaseUrl, (postalCodes) => postalCodes.ensureLoaded());
}

export function postalCodesAreLoaded(databaseUrl: string): Promise<boolean> {
  return using(databaseUrl, (postalCodes) => postalCodes.areLoaded());
}

async function using<T>(databaseUrl: string, work: (postalCodes: PostalCodes) => Promise<T>): Promise<T> {
  const onError = () => undefined;
  const pool = createPool({ databaseUrl, max: 1, applicationName: 'willcall postal codes', onError });
  try {
    return await work(new PostalCodes(pool));
  } finally {
    await pool.end();
  }
}
