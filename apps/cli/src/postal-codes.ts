import { PostalCodes } from '#catalogue/postal-codes';
import { createPool } from '#database/pool';

/** Puts the postal codes that Willcall brings along into a migrated database, where they are not there yet. */
export async function loadPostalCodes(databaseUrl: string): Promise<void> {
  const onError = () => undefined;
  const pool = createPool({ databaseUrl, max: 1, applicationName: 'willcall postal codes', onError });
  try {
    await new PostalCodes(pool).ensureLoaded();
  } finally {
    await pool.end();
  }
}
