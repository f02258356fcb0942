import { createPool } from '#database/pool';
import type { KnownCallers } from './missing-settings.js';

/** Whether a platform and the public could get in: by what the database holds, the settings' own included. */
export async function knownCallers(databaseUrl: string): Promise<KnownCallers> {
  const onError = () => undefined;
  const pool = createPool({ databaseUrl, max: 1, applicationName: 'willcall start', onError });
  try {
    const { rows } = await pool.query<KnownCallers>(
      `select exists (select from clients where revoked_at is null) as clients,
              exists (select from discovery_keys where revoked_at is null) as "discoveryKeys"`,
    );
    return rows[0] ?? { clients: true, discoveryKeys: true };
  } finally {
    await pool.end();
  }
}
