import { existsSync, readFileSync, statSync } from 'node:fs';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { parseSettings, schema, type SettingName, SERVICE_NEEDS, SettingsError } from '#config/settings';

type Service = {
  command?: string;
  environment?: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  container_name?: string;
  ports?: string[];
  volumes?: string[];
};

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const { services } = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };

const programs = JSON.parse(read('tools/programs.json')) as Record<string, string>;
/** `api` → `apps/api/src/main.ts`. */
const sourceOf = (program: string) => (programs[program] ?? '').replace(/^dist\/(.+)\.js$/, '$1.ts');

/** The variables that compose requires. */
const variables: Record<string, string> = {
  POSTGRES_PASSWORD: '0123456789abcdef',
  MIGRATION_DATABASE_PASSWORD: '123456789abcdef0',
  SERVICE_DATABASE_PASSWORD: '23456789abcdef01',
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
    expect(settings).toMatchObject({
      DATABASE_URL: 'postgres://willcall_service:23456789abcdef01@postgres:5432/willcall',
      REDIS_URL: 'redis://redis:6379',
      REQUIRE_HTTPS: true,
      SAMPLE_DATA: false,
    });
  });

  it('is refused with invalid values', () => {
    expect(() => parseSettings(environmentOf(name, { ...variables, ENCRYPTION_KEY: 'short' }))).toThrow(SettingsError);
  });

  it('accepts further settings from a .env file', () => {
    expect(services[name]?.env_file).toEqual([{ path: '.env', required: false }]);
  });
});

describe('secrets and addresses', () => {
  it.each(Object.keys(variables))('%s has to be given', (missing) => {
    const { [missing]: _, ...rest } = variables;
    const all = JSON.stringify(services);
    expect(() => substitute(all, variables)).not.toThrow();
    expect(() => substitute(all, rest)).toThrow(`${missing} is required`);
  });

  it('are not in the file', () => {
    const secrets = [
      'ENCRYPTION_KEY',
      'CHECKOUT_CLIENT_SECRET',
      'BACKOFFICE_TOKEN',
      'POSTGRES_PASSWORD',
      'MIGRATION_DATABASE_PASSWORD',
      'SERVICE_DATABASE_PASSWORD',
    ];
    for (const service of Object.values(services)) {
      for (const [key, value] of Object.entries(service.environment ?? {})) {
        if (secrets.includes(key)) expect(value).toMatch(new RegExp(`^\\$\\{${key}:\\?[^}]+\\}$`));
      }
    }
  });
});

describe('the logins of the database', () => {
  const passwords = (name: string) => {
    const texts = Object.values(environmentOf(name));
    const isKnown = (variable: string) => texts.some((text) => text.includes(variables[variable] ?? ''));
    return Object.keys(variables).filter((variable) => variable.endsWith('_PASSWORD') && isKnown(variable));
  };

  it("are known only to whoever needs them: api and worker have no owner's password, and nobody the superuser's", () => {
    expect(passwords('api')).toEqual(['SERVICE_DATABASE_PASSWORD']);
    expect(passwords('worker')).toEqual(['SERVICE_DATABASE_PASSWORD']);
    expect(passwords('migrate')).toEqual(['MIGRATION_DATABASE_PASSWORD', 'SERVICE_DATABASE_PASSWORD']);
    expect(passwords('postgres')).toHaveLength(3);
  });

  it('are created with the database', () => {
    expect(services['postgres']?.volumes).toContain(
      './docker/postgres/logins.sh:/docker-entrypoint-initdb.d/logins.sh:ro',
    );
    // The image of PostgreSQL would run another file in its own shell.
    expect(statSync(new URL('../docker/postgres/logins.sh', import.meta.url)).mode & 0o111).toBe(0o111);
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
      const [, program = ''] = /^node dist\/programs\/(.+)\.js( migrate)?$/.exec(services[name]?.command ?? '') ?? [];
      expect(existsSync(new URL(`../${sourceOf(program)}`, import.meta.url)), `${name}: ${program}`).toBe(true);
    }
  });

  it('include a Redis without eviction and with an append-only file', () => {
    expect(services['redis']?.command).toContain('--maxmemory-policy noeviction');
    expect(services['redis']?.command).toContain('--appendonly yes');
  });
});

describe('Dockerfile', () => {
  const stages = read('Dockerfile')
    .split(/^(?=FROM )/m)
    .slice(1);
  const last = stages.at(-1) ?? '';

  it('builds on Node 24 in stages and does not run as root', () => {
    expect(stages.length).toBeGreaterThan(1);
    for (const stage of stages) expect(stage).toMatch(/^FROM node:24-/);
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
