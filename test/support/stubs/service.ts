import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSettings, SERVICE_NEEDS } from '#base/load-settings';
import type { Settings } from '#base/settings';
import { createPool } from '#database/pool';
import { endWithSupervisor } from '#platform/end-with-supervisor';

/**
 * Replaces api or worker under the supervisor. It is ready while the database answers. POST /notes/NAME stores a name, POST /slow/NAME
 * stores it after a second, GET /notes lists them, GET /pid returns its pid, POST /deaf makes it ignore SIGTERM.
 */
export function serveStub(address: (settings: Settings) => { host: string; port: number }): void {
  console.log('stub starts');
  const settings = loadSettings(SERVICE_NEEDS);
  const pool = createPool({
    databaseUrl: settings.DATABASE_URL ?? '',
    max: 2,
    applicationName: 'stub',
    onError: () => undefined,
  });
  let isDeaf = false;
  const keep = (name: string) => pool.query('insert into subscriptions values ($1, 0)', [name]).then(() => 'kept');
  const answers: Record<string, (name: string) => Promise<unknown>> = {
    'GET /health/ready': () => pool.query('select 1').then(() => 'ready'),
    'POST /notes': keep,
    'POST /slow': (name) => {
      console.log(`stub keeps ${name}`);
      return sleep(1_000).then(() => keep(name));
    },
    'GET /notes': async () =>
      (await pool.query('select name from subscriptions order by 1')).rows.map(({ name }) => name),
    'GET /pid': async () => process.pid,
    'POST /deaf': async () => (isDeaf = true),
  };
  const server = createServer((request, response) => {
    const [, route, name] = /^(\/[^/]+(?:\/ready)?)\/?(.*)$/.exec(request.url ?? '') ?? [];
    const answer = answers[`${request.method} ${route}`];
    if (answer)
      answer(name ?? '').then(
        (body) => send(response, 200, body),
        () => send(response, 503, 'not now'),
      );
    else send(response, 404, 'unknown');
  });
  server.listen(address(settings));

  endWithSupervisor();
  process.on('SIGTERM', () => {
    if (isDeaf) return;
    server.close(() => void pool.end());
  });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
}
