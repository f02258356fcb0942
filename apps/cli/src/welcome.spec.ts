import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { FixedClock } from '../../../test/support/fixed-clock.js';
import { fail, ok } from './doctor/finding.js';
import { shellOf } from './terminal/shell.js';
import { welcomeText } from './welcome.js';

const DEMO = {
  CHECKOUT_CLIENT_ID: 'demo-1',
  CHECKOUT_CLIENT_SECRET: 'secret',
  DISCOVERY_CLIENT_ID: 'key',
  OPERATOR_EMAIL: 'admin@example.com',
  OPERATOR_PASSWORD: 'admin password',
  BACKOFFICE_TOKEN: 'token',
};
const REAL = { DATABASE_URL: 'postgres://db/willcall' };
const NOBODY = { clients: false, paymentClients: false, discoveryKeys: false, operators: false };
const CALLERS = { clients: true, paymentClients: true, discoveryKeys: true, operators: true };

/** `set` are the settings that were given; the others count as generated. */
function welcome(
  environment: Record<string, string>,
  callers = NOBODY,
  platform: NodeJS.Platform = 'linux',
  set: Record<string, string> = {},
): string {
  const settings = parseSettings(environment);
  const given = parseSettings(set);
  const isDemo = environment['DATABASE_URL'] === undefined;
  return welcomeText({ settings, given, isDemo, callers, clock: new FixedClock(), platform });
}
const sentences = (text: string) => [...text.matchAll(/^ {2}- (.*)$/gm)].map(([, sentence]) => sentence);

describe('the welcome with a real server', () => {
  it('says why each address would reject everybody, and what to set', () => {
    expect(sentences(welcome(REAL))).toEqual([
      expect.stringMatching(/^All addresses but \/health answer 403.*TLS_CERT_FILE.*TRUST_PROXY.*REQUIRE_HTTPS=false/),
      expect.stringMatching(/^\/checkout answers 401.*CHECKOUT_CLIENT_ID.*npm run willcall -- clients add/),
      expect.stringMatching(/^\/2 answers 403.*DISCOVERY_CLIENT_ID.*npm run willcall -- clients keys add/),
      expect.stringMatching(/^Nobody can sign in.*OPERATOR_PASSWORD.*npm run willcall -- operators add/),
      expect.stringMatching(/sandbox.*PLATFORM_URL/),
    ]);
  });

  it('says nothing if nothing is missing', () => {
    const complete = { ...REAL, REQUIRE_HTTPS: 'false', BACKOFFICE_TOKEN: 'token', PLATFORM_URL: 'https://p.example' };
    expect(sentences(welcome(complete, CALLERS))).toEqual([
      expect.stringMatching(/^Clients of the payment variant cannot buy.*503.*PAYMENT_PROVIDER=sandbox/),
    ]);
    Object.assign(complete, { PAYMENT_PROVIDER: 'sandbox' });
    expect(welcome(complete, CALLERS)).not.toContain('missing');
    const proxied = { ...complete, REQUIRE_HTTPS: 'true', TRUST_PROXY: '10.0.0.1' };
    expect(sentences(welcome(proxied, CALLERS))).toEqual([
      expect.stringMatching(/^Only what the proxy of TRUST_PROXY/),
    ]);
  });

  it('reports problems of Redis, also in the demo, and says where the key is stored', () => {
    const about = {
      callers: CALLERS,
      clock: new FixedClock(),
      platform: 'linux',
      keyFile: '/srv/secrets.json',
      given: parseSettings({}),
    } as const;
    const away = fail('redis', 'does not answer (ECONNREFUSED)', 'See REDIS_URL.');
    const demo = welcomeText({ ...about, settings: parseSettings(DEMO), isDemo: true, redis: away });
    expect(sentences(demo)).toEqual(['Redis does not answer (ECONNREFUSED). See REDIS_URL.']);
    expect(demo).not.toContain('encryption key');
    const evicting = fail('redis', 'Redis 7.4, maxmemory-policy allkeys-lru', 'Set maxmemory-policy noeviction.');
    const own = welcomeText({ ...about, settings: parseSettings(REAL), isDemo: false, redis: evicting });
    expect(sentences(own).at(-1)).toBe('Redis 7.4, maxmemory-policy allkeys-lru. Set maxmemory-policy noeviction.');
    expect(own).toContain('  encryption key          /srv/secrets.json\n');
    expect(
      welcomeText({ ...about, settings: parseSettings(REAL), isDemo: false, redis: ok('redis', 'Redis 7.4') }),
    ).not.toContain('Redis');
  });

  it('shows no credentials, and the demo reports nothing missing', () => {
    expect(welcome({ ...REAL, ...DEMO })).not.toMatch(/secret$/m);
    expect(welcome(DEMO)).not.toContain('missing');
  });
});

describe('the credentials of the demo', () => {
  it('are printed if they were generated', () => {
    const text = welcome(DEMO);
    expect(text).toContain('  checkout client secret  secret\n');
    expect(text).toContain('  with the password       admin password\n');
    expect(text).toContain('  back office token       token\n');
    expect(text).toContain("'Authorization: Bearer token'");
  });

  it('are not printed if they were set', () => {
    const SECRETS = {
      CHECKOUT_CLIENT_SECRET: 'canary-secret',
      OPERATOR_PASSWORD: 'canary password',
      BACKOFFICE_TOKEN: 'canary-token',
    };
    const text = welcome({ ...DEMO, ...SECRETS }, CALLERS, 'linux', { ...DEMO, ...SECRETS });
    expect(text).not.toContain('canary');
    for (const name of Object.keys(SECRETS)) expect(text).toContain(`(as set in ${name})`);
    expect(text).toContain("'Authorization: Bearer YOUR_TOKEN'");
  });
});

describe('the place of the data', () => {
  it('is the full path of DATA_DIR, or with a real server the database without the password', () => {
    expect(welcome({ ...DEMO, DATA_DIR: 'kept' })).toContain(`  data                    ${resolve('kept')}\n`);
    const own = welcome({ DATABASE_URL: 'postgres://ann:hidden@db:5433/tickets?sslmode=disable' });
    expect(own).toContain('  data                    db:5433/tickets\n');
    expect(own).not.toContain('hidden');
  });
});

describe('printed commands', () => {
  it('are followed by the sandbox platform only where it receives the pings', () => {
    expect(welcome(DEMO)).toContain('Then see the ping at the sandbox platform, and the order as staff do;');
    const own = welcome({ ...DEMO, PLATFORM_URL: 'https://platform.example' });
    expect(own).toContain('Then see the order as staff do;');
    expect(own).not.toContain('sandbox platform');
  });

  it('can be pasted into sh, whatever the token is', () => {
    const text = welcome({ ...DEMO, BACKOFFICE_TOKEN: `it's$HOME` });
    expect(text).toContain(
      String.raw`curl -H 'Authorization: Bearer it'\''s$HOME' 'http://127.0.0.1:3000/backoffice/v1/orders'`,
    );
  });

  it('work in cmd.exe and in PowerShell: double quotes, one line each, no variables', () => {
    const text = welcome(DEMO, CALLERS, 'win32');
    const commands = text.split('\n').filter((line) => /^ {2}(?:curl|npm)/.test(line));
    expect(commands).toEqual([
      '  npm.cmd run willcall -- platform buy demo-payment-1 --event 1001 --quantity 2',
      '  curl.exe -H "Authorization: Bearer token" "http://127.0.0.1:3000/backoffice/v1/orders"',
      '  curl.exe -H "Authorization: Bearer token" "http://127.0.0.1:3000/backoffice/v1/orders/ORDER_ID/events"',
      '  curl.exe "http://127.0.0.1:3000/2/events?client_id=key&per_page=3"',
      '  curl.exe -N -H "Authorization: Bearer token" "http://127.0.0.1:3000/stream/v1/pings"',
    ]);
    expect(text).not.toMatch(/'|\\$|export /m);
  });

  it('contain no token that Windows could not quote', () => {
    expect(shellOf('win32').quote('a%PATH%')).toBeUndefined();
    expect(welcome({ ...DEMO, BACKOFFICE_TOKEN: 'a$b' }, CALLERS, 'win32')).toContain(
      '"Authorization: Bearer YOUR_TOKEN"',
    );
  });
});
