import { existsSync, readFileSync, statSync } from 'node:fs';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { readConsole } from '../apps/api/src/console/console-files.js';
import { parseSettings, SERVICE_NEEDS, SettingsError } from '#base/load-settings';
import type { SettingName } from '#base/settings';
import { schema } from '#base/config/settings-schema';

type Service = {
  command?: string | string[];
  environment?: Record<string, string>;
  env_file?: unknown;
  networks?: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
  tmpfs?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  container_name?: string;
  ports?: string[];
};

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const { services, networks, configs } = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  configs: Record<string, { content: string }>;
};

const { programs } = JSON.parse(read('tools/programs.json')) as { programs: Record<string, string> };
/** `api` → `apps/api/src/main.ts`. */
const sourceOf = (program: string) => (programs[program] ?? '').replace(/^dist\/(.+)\.js$/, '$1.ts');

/** The variables that compose requires. */
const variables: Record<string, string> = {
  POSTGRES_PASSWORD: '0123456789abcdef',
  MIGRATION_DATABASE_PASSWORD: '123456789abcdef0',
  SERVICE_DATABASE_PASSWORD: '23456789abcdef01',
  REDIS_PASSWORD: 'fedcba9876543210',
  ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  PUBLIC_URL: 'https://tickets.example',
  PLATFORM_URL: 'https://platform.example',
  CHECKOUT_CLIENT_ID: 'acme',
  CHECKOUT_CLIENT_SECRET: 'a-secret-long-enough',
  BACKOFFICE_TOKEN: 'a-token-that-is-long-enough',
};

/** Interpolates `${NAME:?message}` and `${NAME:-default}` like compose. A plain `${NAME}` would silently become empty. */
function substitute(text: string, from: Record<string, string>): string {
  return text.replace(
    /\$\{(\w+)(?::([?-])([^}]*))?\}/g,
    (_, name: string, operator: string | undefined, rest: string) => {
      if (from[name]) return from[name];
      if (operator === '-') return rest;
      throw new Error(operator === '?' ? `${name} is required` : `${name} is neither required nor has it a default`);
    },
  );
}

function environmentOf(name: string, from = variables): Record<string, string> {
  const entries = Object.entries(services[name]?.environment ?? {});
  return Object.fromEntries(entries.map(([key, value]) => [key, substitute(value, from)]));
}

describe.each([
  ['api', SERVICE_NEEDS],
  ['worker', SERVICE_NEEDS],
  ['migrate', ['DATABASE_URL', 'MIGRATION_DATABASE_URL']],
] as [string, readonly SettingName[]][])('environment of %s', (name, needs) => {
  it('contains only settings', () => {
    const keys = Object.keys(services[name]?.environment ?? {});
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key) => !(key in schema.shape))).toEqual([]);
  });

  it('is valid for the schema', () => {
    const settings = parseSettings(environmentOf(name), needs);
    expect(settings.DATABASE_URL).toBe('postgres://willcall_service:23456789abcdef01@postgres:5432/willcall');
  });

  it('is only its own', () => {
    expect(services[name]?.env_file).toBeUndefined();
  });
});

describe.each(['api', 'worker'])('environment of %s', (name) => {
  it('has the servers with their passwords, and demands HTTPS', () => {
    expect(parseSettings(environmentOf(name), SERVICE_NEEDS)).toMatchObject({
      REDIS_URL: 'redis://:fedcba9876543210@redis:6379',
      REQUIRE_HTTPS: true,
      SAMPLE_DATA: false,
      SANDBOX: false,
    });
  });

  it('is refused with invalid values', () => {
    const environment = environmentOf(name, { ...variables, ENCRYPTION_KEY: 'short' });
    expect(() => parseSettings(environment, SERVICE_NEEDS)).toThrow(SettingsError);
  });

  it('takes further settings from .env', () => {
    const given = { CARRIERS: 'UPS,DHL', PING_TIMEOUT_MS: '7000', PAYMENT_PROVIDER: 'sandbox' };
    expect(parseSettings(environmentOf(name, { ...variables, ...given }))).toMatchObject({
      CARRIERS: ['UPS', 'DHL'],
      PING_TIMEOUT_MS: 7_000,
      PAYMENT_PROVIDER: 'sandbox',
    });
  });
});

/** What the compose file decides, and what makes no sense in it. */
const NOT_PASSED = ['DATA_DIR', 'TLS_CERT_FILE', 'TLS_KEY_FILE', 'SANDBOX'];

it('every other setting can be given in .env', () => {
  const passed = new Set(Object.values(services).flatMap(({ environment = {} }) => Object.keys(environment)));
  const settings = Object.keys(schema.shape);
  expect(settings.filter((name) => !passed.has(name)).toSorted()).toEqual(NOT_PASSED.toSorted());
});

describe('secrets and addresses', () => {
  it.each(Object.keys(variables))('%s has to be given', (missing) => {
    const { [missing]: _, ...rest } = variables;
    const all = JSON.stringify(services);
    expect(() => substitute(all, variables)).not.toThrow();
    expect(() => substitute(all, rest)).toThrow(`${missing} is required`);
  });

  it('are not in the file', () => {
    const passwords = Object.keys(variables).filter((name) => name.endsWith('_PASSWORD'));
    const secrets = ['ENCRYPTION_KEY', 'CHECKOUT_CLIENT_SECRET', 'BACKOFFICE_TOKEN', ...passwords];
    for (const service of Object.values(services)) {
      for (const [key, value] of Object.entries(service.environment ?? {})) {
        if (secrets.includes(key)) expect(value).toMatch(new RegExp(`^\\$\\{${key}:\\?[^}]+\\}$`));
      }
    }
  });
});

describe('secrets', () => {
  const holders = (part: string) =>
    Object.keys(services).filter((name) => JSON.stringify(services[name]?.environment ?? {}).includes(part));

  it.each([
    ['CHECKOUT_CLIENT_SECRET', ['api']],
    ['BACKOFFICE_TOKEN', ['api']],
    ['OPERATOR_PASSWORD', ['api']],
    ['OIDC_CLIENT_SECRET', ['api']],
    ['S3_SECRET_ACCESS_KEY', ['api', 'worker']],
    ['LEDGER_ANCHOR_SECRET', ['worker']],
    ['SMTP_URL', ['api', 'worker']],
    ['ENCRYPTION_KEY', ['api', 'worker']],
    ['REDIS_PASSWORD', ['api', 'worker', 'redis']],
    ['${SERVICE_DATABASE_PASSWORD', ['api', 'worker', 'migrate', 'postgres']],
    ['${MIGRATION_DATABASE_PASSWORD', ['migrate', 'postgres']],
    ['${POSTGRES_PASSWORD', ['postgres']],
  ])('%s is only where it is needed', (secret, names) => expect(holders(secret)).toEqual(names));

  it('are in no command line', () => {
    for (const { command = '' } of Object.values(services))
      expect([command].flat().join(' ')).not.toMatch(/\$\{\w*PASSWORD/);
    expect([services['redis']?.command].flat().join(' ')).toContain('requirepass $$REDISCLI_AUTH');
  });
});

it('the logins of the database are created with it', () => {
  expect(services['postgres']?.volumes).toContain(
    './docker/postgres/logins.sh:/docker-entrypoint-initdb.d/logins.sh:ro',
  );
  // The image of PostgreSQL would run another file in its own shell.
  expect(statSync(new URL('../docker/postgres/logins.sh', import.meta.url)).mode & 0o111).toBe(0o111);
});

describe('every container', () => {
  it.each(Object.entries(services))('is confined: %s', (name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.cap_add).toEqual(name === 'proxy' ? ['NET_BIND_SERVICE'] : undefined);
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.pids_limit).toBeGreaterThan(0);
    expect(service.tmpfs).toContain('/tmp');
    expect(service).not.toHaveProperty('privileged');
    expect(JSON.stringify(service.volumes ?? [])).not.toContain('docker.sock');
  });

  it('of a server runs as its own user', () => {
    expect([services['postgres']?.user, services['redis']?.user]).toEqual(['postgres', 'redis']);
  });
});

describe('networks', () => {
  const of = (network: string) => Object.keys(services).filter((name) => services[name]?.networks?.includes(network));

  it('are apart: the servers and the proxy cannot reach each other, nor the servers the internet', () => {
    expect(Object.keys(networks)).toEqual(['front', 'out', 'database', 'jobs']);
    expect(of('front')).toEqual(['proxy', 'api']);
    expect(of('out')).toEqual(['worker']);
    expect(of('database')).toEqual(['api', 'worker', 'migrate', 'postgres']);
    expect(of('jobs')).toEqual(['api', 'worker', 'redis']);
    expect([networks['database'], networks['jobs']]).toEqual([{ internal: true }, { internal: true }]);
    const published = Object.keys(services).filter((name) => services[name]?.ports);
    expect(published).toEqual(['proxy']);
  });
});

describe('the proxy', () => {
  const { content = '' } = configs['caddyfile'] ?? {};
  const patterns = [...content.matchAll(/^ +path (.+)$/gm)].flatMap(([, paths = '']) => paths.split(' '));
  const passes = (path: string) =>
    patterns.some((pattern) => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern));

  it('passes on the surfaces, the console and the public pages', () => {
    const surfaces = [
      '/checkout/v1/purchases',
      '/backoffice/v1/orders',
      '/stream/v1/pings/live',
      '/2',
      '/2/events',
      '/payments/v1/stripe',
    ];
    const pages = ['/e', '/e/1', '/p/ada', '/v/pier-9', '/sitemap.xml', '/robots.txt', '/assets/a.js'];
    const consolePages = readConsole('')?.addresses.map((page) => page.replace(':id', '1')) ?? [];
    const links = ['/tickets/tkt_1', '/downloads/job_1', '/unsubscribe/opr_1/daily', '/choices/ord_1.job_1.a'];
    expect([...surfaces, ...pages, ...links, ...consolePages].filter((path) => !passes(path))).toEqual([]);
  });

  it('keeps everything else inside', () => {
    const inside = [
      '/docs',
      '/asyncapi.json',
      '/openapi.json',
      '/openapi.yaml',
      '/metrics',
      '/health/ready',
      '/sandbox',
      '/queues',
      '/about',
    ];
    expect(inside.filter(passes)).toEqual([]);
    expect(content).toMatch(/handle \{\s+respond 404\s+\}/);
  });
});

describe('services', () => {
  it('can be scaled: api and worker have no fixed name and no host port', () => {
    for (const name of ['api', 'worker']) {
      expect(services[name]).toBeDefined();
      expect(services[name]).not.toHaveProperty('container_name');
      expect(services[name]).not.toHaveProperty('ports');
    }
  });

  it('start on a migrated database', () => {
    const migrated = {
      postgres: { condition: 'service_healthy' },
      migrate: { condition: 'service_completed_successfully' },
    };
    expect(services['api']?.depends_on).toEqual(migrated);
    expect(services['worker']?.depends_on).toEqual({ ...migrated, redis: { condition: 'service_healthy' } });
  });

  it('have health checks if they keep running', () => {
    for (const [name, { healthcheck }] of Object.entries(services)) {
      if (name === 'migrate') expect(healthcheck).toEqual({ disable: true });
      else expect(healthcheck?.test?.[0]).toBe('CMD');
    }
    expect(services['api']?.healthcheck?.test?.join(' ')).toContain(`:${environmentOf('api')['PORT']}/health/ready`);
    expect(services['worker']?.healthcheck?.test?.join(' ')).toContain(
      `:${environmentOf('worker')['WORKER_PORT']}/health/`,
    );
  });

  it('run programs that exist', () => {
    for (const name of ['api', 'worker', 'migrate']) {
      const [, program = ''] = /^node dist\/programs\/(.+)\.js( migrate)?$/.exec(String(services[name]?.command)) ?? [];
      expect(existsSync(new URL(`../${sourceOf(program)}`, import.meta.url)), `${name}: ${program}`).toBe(true);
    }
  });

  it('include a Redis without eviction and with an append-only file', () => {
    const command = [services['redis']?.command].flat().join(' ');
    expect(command).toContain('--maxmemory-policy noeviction');
    expect(command).toContain('--appendonly yes');
  });
});

describe('Dockerfile', () => {
  const stages = read('Dockerfile')
    .split(/^(?=FROM )/m)
    .slice(1);
  const last = stages.at(-1) ?? '';

  it('builds on Node 24 in stages and does not run as root', () => {
    expect(stages.length).toBeGreaterThan(1);
    for (const stage of stages) expect(stage).toMatch(/^FROM node:24-[\w-]+\$\{NODE_DIGEST\}( |$)/m);
    const users = [...last.matchAll(/^USER (\S+)/gm)].map(([, user]) => user);
    expect(users.at(-1)).toBe('node');
  });

  it('puts only production dependencies into the image, and has a health check', () => {
    expect(last).toContain('COPY --from=dependencies /app/node_modules');
    expect(stages.find((stage) => / AS dependencies$/m.test(stage))).toContain('npm ci --omit=dev');
    expect(last).toMatch(/^HEALTHCHECK [\s\S]+"node"[\s\S]+\/health\/live/m);
  });

  it('has willcall on its PATH as an executable link to the cli', () => {
    const [, program = '', link] = /^RUN chmod 755 (\S+) && ln -s \/app\/\1 (\S+)$/m.exec(last) ?? [];
    expect(link).toBe('/usr/local/bin/willcall');
    expect(last.indexOf(`${link}\n`)).toBeGreaterThan(last.indexOf('COPY --from=build /app/dist/programs'));
    // Only root may write to that folder.
    expect(last.indexOf(`${link}\n`)).toBeLessThan(last.indexOf('USER node'));
    const source = read(sourceOf(program.replace(/^dist\/programs\/(.+)\.js$/, '$1')));
    expect(source.split('\n')[0]).toBe('#!/usr/bin/env node');
  });

  it('copies no secrets: .dockerignore allows only named paths', () => {
    const lines = read('.dockerignore').trim().split('\n');
    expect(lines[0]).toBe('*');
    expect(lines).not.toContain('!.env');
  });
});
