import pg from 'pg';

/** Whether the server answers on a connection made for this question, in milliseconds. Never throws. */
export async function answersOnNewConnection(config: pg.ClientConfig, withinMs: number): Promise<boolean> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: withinMs, query_timeout: withinMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select');
    return true;
  } catch {
    return false;
  } finally {
    // Without waiting for the server, which may be silent.
    (client as unknown as WithStream).connection.stream.destroy();
  }
}

/** The part of pg's client that its types leave out. */
type WithStream = { connection: { stream: { destroy(): void } } };
