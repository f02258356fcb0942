import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { writeMmdb } from '../../../../test/support/discovery/mmdb.js';
import { loadServiceSettings } from '../service-settings.js';
import { childEnvironment, loadSettings, settingWarnings, SettingsError } from '../load-settings.js';
import { schema } from './settings-schema.js';
import { SECRET_SETTINGS } from './secret-files.js';
import { COMPOSE_NAMES } from './unknown-names.js';

const home = process.cwd();
const environment = { ...process.env };
let folder: string;

beforeEach(() => {
  folder = temporaryFolder('settings');
  process.chdir(folder);
  process.env = { PATH: environment['PATH'] };
});
afterEach(() => {
  process.env = environment;
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

function settingsErrors(): readonly string[] {
  try {
    loadSettings();
  } catch (error) {
    if (error instanceof SettingsError) return error.errors;
    throw error;
  }
  return [];
}

it('a .env file of the working directory is read, but the environment wins', () => {
  write('.env', 'PING_CONCURRENCY=7\nPING_TIMEOUT_MS=1234\n');
  process.env['PING_CONCURRENCY'] = '9';
  expect(loadSettings()).toMatchObject({ PING_CONCURRENCY: 9, PING_TIMEOUT_MS: 1234 });
  // A child has our PATH and, with the same file, the same settings.
  expect(childEnvironment(loadSettings())).toMatchObject({ PATH: process.env['PATH'], PING_TIMEOUT_MS: '1234' });
});

describe('an unknown name in .env', () => {
  it('is an error if it resembles a setting', () => {
    write('.env', 'DATABSE_URL=postgres://db/willcall\nLOGLEVEL=debug\nport=80\n');
    expect(settingsErrors()).toEqual([
      'DATABSE_URL: is not a setting (in .env), did you mean DATABASE_URL?',
      'LOGLEVEL: is not a setting (in .env), did you mean LOG_LEVEL?',
      'port: is not a setting (in .env), did you mean PORT?',
    ]);
  });

  it('is otherwise a warning', () => {
    write('.env', 'COLOUR_OF_THE_SHOP=red\nPING_COLOUR=blue\n');
    expect(settingsErrors()).toEqual([]);
    expect(settingWarnings()).toEqual([
      'COLOUR_OF_THE_SHOP in .env is not a setting and is ignored.',
      'PING_COLOUR in .env is not a setting and is ignored.',
    ]);
  });

  it('may be a variable of the compose file', () => {
    const compose = readFileSync(join(home, 'docker-compose.yml'), 'utf8');
    const variables = new Set(
      [...JSON.stringify(parse(compose, { merge: true })).matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name),
    );
    expect([...variables].filter((name) => !(name in schema.shape)).toSorted()).toEqual(COMPOSE_NAMES.toSorted());
    write('.env', COMPOSE_NAMES.map((name) => `${name}=1`).join('\n'));
    expect([...settingsErrors(), ...settingWarnings()]).toEqual([]);
  });
});

describe('a name in the environment', () => {
  it('is a warning if it resembles a setting or has one of our prefixes', () => {
    Object.assign(process.env, { DATABSE_URL: 'postgres://db', PING_TIMOUT_MS: '1', CHECKOUT_SECRETS: 'x' });
    expect(settingsErrors()).toEqual([]);
    expect(settingWarnings()).toEqual([
      'DATABSE_URL in the environment is not a setting and is ignored: did you mean DATABASE_URL?',
      'PING_TIMOUT_MS in the environment is not a setting and is ignored: did you mean PING_TIMEOUT_MS?',
      'CHECKOUT_SECRETS in the environment is not a setting and is ignored.',
    ]);
  });

  it('is ignored if it belongs to another program, or if the setting that it resembles is set', () => {
    const foreignVariables = {
      HOME: '/root',
      POSTGRES_URL: 'x',
      SSL_CERT_FILE: 'x',
      npm_config_cache: 'x',
      HOSTNAME: 'x',
    };
    Object.assign(process.env, foreignVariables, {
      DATABASE_URL: 'postgres://db/willcall',
      DATABASE_URI: 'postgres://db',
    });
    expect(settingWarnings()).toEqual([]);
  });
});

describe('a secret of fewer than 16 characters', () => {
  const short = { CHECKOUT_CLIENT_ID: 'acme', CHECKOUT_CLIENT_SECRET: 'x'.repeat(15), BACKOFFICE_TOKEN: 'short' };

  it('is accepted in the demo, also in the services that it runs', () => {
    Object.assign(process.env, short);
    const settings = loadSettings();
    process.env = { ...childEnvironment(settings), DATABASE_URL: 'postgres://127.0.0.1/willcall' };
    expect(loadSettings()).toMatchObject(short);
  });

  it('is rejected if DATABASE_URL is set', () => {
    Object.assign(process.env, short, { DATABASE_URL: 'postgres://db/willcall' });
    expect(settingsErrors()).toEqual([
      'CHECKOUT_CLIENT_SECRET: must have at least 16 characters where DATABASE_URL is set',
      'BACKOFFICE_TOKEN: must have at least 16 characters where DATABASE_URL is set',
    ]);
    Object.assign(process.env, { CHECKOUT_CLIENT_SECRET: 'x'.repeat(16), BACKOFFICE_TOKEN: 'y'.repeat(16) });
    expect(settingsErrors()).toEqual([]);
  });
});

describe('a secret in a file', () => {
  const key = Buffer.alloc(32, 7).toString('base64');

  it('is read without its last line break, also from .env, and a value in the environment wins', () => {
    write('token', 'a token of a file\n'.replaceAll(' ', '-'));
    write('key', `${key}\r\n`);
    write('.env', 'BACKOFFICE_TOKEN_FILE=token\nENCRYPTION_KEY_FILE=key\n');
    expect(loadSettings()).toMatchObject({
      BACKOFFICE_TOKEN: 'a-token-of-a-file',
      ENCRYPTION_KEY: Buffer.alloc(32, 7),
    });
    process.env['BACKOFFICE_TOKEN'] = 'of-the-environment';
    expect(loadSettings()).toMatchObject({ BACKOFFICE_TOKEN: 'of-the-environment' });
    expect(settingWarnings()).toEqual([]);
  });

  it('is an error if the file is missing or empty, and next to the value itself', () => {
    write('empty', '\n');
    write('secret', 'canary');
    Object.assign(process.env, {
      DATABASE_URL_FILE: join(folder, 'none'),
      ENCRYPTION_KEY_FILE: join(folder, 'secret'),
      BACKOFFICE_TOKEN_FILE: join(folder, 'empty'),
      OPERATOR_EMAIL: 'a@b.example',
      OPERATOR_PASSWORD: 'canary of a password',
      OPERATOR_PASSWORD_FILE: join(folder, 'secret'),
    });
    expect(settingsErrors()).toEqual([
      'ENCRYPTION_KEY: must be base64 of 32 random bytes (openssl rand -base64 32)',
      'DATABASE_URL_FILE: must be the path of a readable file',
      'BACKOFFICE_TOKEN_FILE: must be a file with the value of BACKOFFICE_TOKEN, but it is empty',
      'OPERATOR_PASSWORD_FILE: must not be set when OPERATOR_PASSWORD is',
    ]);
  });

  it('reaches the services as a value, without the name of the file', () => {
    write('key', key);
    Object.assign(process.env, { ENCRYPTION_KEY_FILE: join(folder, 'key') });
    const passed = childEnvironment(loadSettings());
    expect([passed['ENCRYPTION_KEY'], passed['ENCRYPTION_KEY_FILE']]).toEqual([key, undefined]);
  });

  it('is possible for every secret', () => {
    const secrets = Object.keys(schema.shape).filter((name) => {
      return /(SECRET|OFFICE_TOKEN|PASSWORD|_KEY|_KEY_PREVIOUS|DATABASE_URL|REPLICA_URL|REDIS_URL|SMTP_URL|OTLP_HEADERS)$/.test(
        name,
      );
    });
    expect(SECRET_SETTINGS.toSorted()).toEqual(secrets.toSorted());
  });
});

describe('the contents of files', () => {
  it('are checked together with everything else, and never quoted', () => {
    write('secret', 'canary');
    const files = [
      'STATUS_CATALOGUE_FILE',
      'GEOIP_DB',
      'TLS_CERT_FILE',
      'TLS_KEY_FILE',
      'PASS_CERT_FILE',
      'PASS_KEY_FILE',
    ];
    Object.assign(process.env, Object.fromEntries(files.map((name) => [name, join(folder, 'secret')])), {
      PORT: 'x',
      PASS_TYPE_ID: 'pass.example.tickets',
      PASS_TEAM_ID: 'ABCDE12345',
    });
    expect(settingsErrors()).toEqual([
      'PORT: must be a whole number from 0 to 65535',
      'STATUS_CATALOGUE_FILE: must be a JSON file',
      'GEOIP_DB: must be a MaxMind DB file (mmdb)',
      'TLS_CERT_FILE: must be a PEM certificate that fits the key of TLS_KEY_FILE',
      'PASS_CERT_FILE: must be a PEM certificate that fits the RSA key of PASS_KEY_FILE',
    ]);
  });

  it('are reported with each error of a status catalogue', () => {
    write('catalogue.json', '{"version": "one", "statuses": 7, "transitions": {}, "roles": {}}');
    process.env['STATUS_CATALOGUE_FILE'] = 'catalogue.json';
    expect(settingsErrors()).toEqual(
      expect.arrayContaining([
        'STATUS_CATALOGUE_FILE: version must be an integer',
        'STATUS_CATALOGUE_FILE: statuses must be an array',
      ]),
    );
  });

  it('are accepted if they are valid', () => {
    writeMmdb(join(folder, 'places.mmdb'), { city: { names: { en: 'Boston' } } });
    const tls = join(home, 'test/support/tls');
    Object.assign(process.env, {
      GEOIP_DB: 'places.mmdb',
      STATUS_CATALOGUE_FILE: join(home, 'libs/domain/src/status-catalogue.json'),
      TLS_CERT_FILE: join(tls, 'receiver.pem'),
      TLS_KEY_FILE: join(tls, 'receiver.key'),
    });
    expect(settingsErrors()).toEqual([]);
    write('other.key', generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
    process.env['TLS_KEY_FILE'] = 'other.key';
    expect(settingsErrors()).toEqual(['TLS_CERT_FILE: must be a PEM certificate that fits the key of TLS_KEY_FILE']);
  });
});

describe("the owner's login", () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  const service = { DATABASE_URL: 'postgres://service@db/willcall', ENCRYPTION_KEY: key, SANDBOX: 'true' };
  const owner = 'MIGRATION_DATABASE_URL=postgres://owner:canary@db/willcall';

  it('is not in the settings and the environment of api and worker, and a sentence says so', () => {
    Object.assign(process.env, service, Object.fromEntries([owner.split('=')]));
    const { settings, warnings } = loadServiceSettings();
    expect(JSON.stringify([settings, process.env, warnings])).not.toContain('canary');
    expect(warnings).toEqual([
      expect.stringMatching(/^MIGRATION_DATABASE_URL in the environment is the owner's login/),
    ]);
  });

  it('in a file is not theirs either', () => {
    write('owner', owner.replace('MIGRATION_DATABASE_URL=', ''));
    Object.assign(process.env, service, { MIGRATION_DATABASE_URL_FILE: join(folder, 'owner') });
    const { settings, warnings } = loadServiceSettings();
    expect(JSON.stringify([settings, warnings])).not.toContain('canary');
    expect(process.env['MIGRATION_DATABASE_URL_FILE']).toBeUndefined();
    expect(warnings).toEqual([expect.stringMatching(/^MIGRATION_DATABASE_URL in the environment /)]);
  });

  it('in .env is not theirs either', () => {
    Object.assign(process.env, service);
    write('.env', owner);
    expect(JSON.stringify(loadServiceSettings().settings)).not.toContain('canary');
    expect(loadServiceSettings().warnings).toEqual([expect.stringMatching(/^MIGRATION_DATABASE_URL in \.env /)]);
  });

  it('is not passed to the services that `npm start` runs', () => {
    Object.assign(process.env, service, Object.fromEntries([owner.split('=')]));
    const settings = loadSettings();
    expect(settings.MIGRATION_DATABASE_URL).toContain('canary');
    expect(JSON.stringify(childEnvironment(settings))).not.toContain('canary');
  });
});
