import { createPool } from '#database/pool';
import type { ConfiguredCallers } from './missing-settings.js';

/** Whether the database has active platform clients, discovery keys and operators. These include the ones from the settings. */
export async function readConfiguredCallers(databaseUrl: string): Promise<ConfiguredCallers> {
  const onError = () => undefined;
  const pool = createPool({ databaseUrl, max: 1, applicationName: 'willcall start', onError });
  try {
    const { rows } = await pool.query<ConfiguredCallers>(
      `select exists (select from clients where revoked_at is null) as clients,
              exists (select from clients where revoked_at is null and variant = 'payment') as "paymentClients",
              exists (select from discovery_keys where revoked_at is null) as "discoveryKeys",
              exists (select from operators where state = 'active') as operators`,
    );
    return rows[0] ?? { clients: true, paymentClients: false, discoveryKeys: true, operators: true };
  } finally {
    await pool.end();
  }
}
