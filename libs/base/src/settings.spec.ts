import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSettings, SERVICE_NEEDS, SettingsError, toEnvironment } from './load-settings.js';
import { SURFACES, TASK_GROUPS } from './process-roles.js';
import { platformUrl, type SettingName } from './settings.js';
import { schema } from './config/settings-schema.js';

const key = Buffer.alloc(32, 7).toString('base64');
const thisFile = import.meta.filename;

/** Bad values of every setting; a setting without a row does not compile. */
const bad: Record<SettingName, readonly string[]> = {
  PORT: ['65536', '-1', '80.5', 'http', ' 80', '0x50', '1e3'],
  HOST: ['http://localhost', 'my host', 'a/b', '-', '::g'],
  PUBLIC_URL: ['a.example', 'ftp://a.example', 'https://u:p@a.example', 'https://a.example/?q', 'https://a.example/#f'],
  OPERATIONS_PORT: ['65536', 'none'],
  SURFACES: ['shop', 'checkout,', 'stream,stream', 'Checkout'],
  DOCS: ['on', '1'],
  DATA_DIR: [thisFile, 'nul\0byte'],
  FILES_DIR: [thisFile, 'nul\0byte'],
  S3_BUCKET: ['ab', 'With Capitals', '-tickets', 'a'.repeat(64)],
  S3_REGION: ['us east', 'US', ''.padEnd(41, 'a')],
  S3_ENDPOINT: ['s3.example', 'ftp://s3.example'],
  S3_ACCESS_KEY_ID: ['with blank'],
  S3_SECRET_ACCESS_KEY: ['with blank'],
  SMTP_URL: ['http://mail.example', 'mail.example'],
  MAIL_FROM: [
    'ada',
    'ada@example.com.',
    'Ada <ada@example.com> <b@example.com>',
    'Ada <ada>',
    'a@b.example\nBcc: c@d.example',
  ],
  MAIL_POSTAL_ADDRESS: ['1 Main St\nAlbany', 'x'.repeat(301)],
  MAIL_LOCALE: ['english please', 'EN_us'],
  SCAN_COMMAND: ['clamdscan - | mail', 'a; b', 'scan "half', ' ', 'scan $HOME', 'x'.repeat(4_097)],
  SMTP_REQUIRE_TLS: ['yes', '1'],
  MAIL_AUTOMATIC: ['yes', '1'],
  MAIL_BOUNCES_ADDRESS: ['bounces@tickets.example', 'far-too-long+*@b.example', '*@', 'a*b@c.example'],
  MAIL_BOUNCES_FILE: ['nul\0byte', 'x'.repeat(4_097)],
  MAIL_TEMPLATES_FILE: ['/no/such/templates.json', import.meta.dirname],
  TICKET_MAX_BYTES: ['0', '10MB', '1023'],
  DATABASE_URL: ['mysql://a/b', 'localhost:5432', 'postgres'],
  MIGRATION_DATABASE_URL: ['mysql://a/b', 'localhost:5432', 'postgres'],
  DATABASE_REPLICA_URL: ['mysql://a/b', 'localhost:5432', 'postgres://db1:5432,db2:5432/willcall'],
  READ_ONLY: ['yes', '1'],
  DATABASE_POOL_SIZE: ['0', 'many', '1001'],
  LOCK_TIMEOUT_MS: ['soon', '99', '-1'],
  REDIS_URL: ['http://localhost:6379', 'localhost', 'redis+sentinel://a,b', 'redis+cluster://a/1'],
  LOG_LEVEL: ['loud', 'INFO'],
  LOG_FORMAT: ['text', 'JSON'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['localhost:4318', 'grpc://collector.example', 'https://u:p@collector.example'],
  OTEL_EXPORTER_OTLP_HEADERS: ['with blank'],
  OTEL_TRACES_SAMPLER: ['all', 'jaeger_remote'],
  OTEL_TRACES_SAMPLER_ARG: ['2', '10%', '-0.1'],
  ENCRYPTION_KEY: ['short', key.slice(0, -1), `${key}=`, Buffer.alloc(31).toString('base64'), 'ab'.repeat(32)],
  KNOWN_BACKUPS_FILE: ['nul\0byte', 'x'.repeat(4_097)],
  LEDGER_ANCHORS: ['nul\0byte', 'x'.repeat(4_097)],
  LEDGER_ANCHOR_URL: ['anchors.example', 'ftp://anchors.example'],
  LEDGER_ANCHOR_SECRET: ['secret', `whsec_${key.slice(0, -1)}`, `whsec_${Buffer.alloc(23).toString('base64')}`, key],
  LEDGER_ANCHOR_BUCKET: ['anchors', 's3://Anchors', 's3://anchors/../x', 's3://anchors//x', 'https://anchors.example'],
  LEDGER_ANCHOR_RETENTION: ['none', 'COMPLIANCE'],
  LEDGER_ANCHOR_RETENTION_DAYS: ['0', '36501', '1y'],
  ENCRYPTION_KEY_PREVIOUS: ['short', `${key},`, `${key},short`, `${key} ${key}`],
  TLS_CERT_FILE: ['/no/such/file.pem', import.meta.dirname],
  TLS_KEY_FILE: ['/no/such/file.pem', import.meta.dirname],
  TRUST_PROXY: ['true', 'loopback', '10.0.0.0/33', '::1/129', '10.0.0.0/8/8', '10.0.0.1,', '10.0.0.1/'],
  REQUIRE_HTTPS: ['yes', '1', 'True'],
  ALLOWED_HOSTS: ['https://a.example', 'a.example:80', '*.a.example', 'a.example,'],
  MAX_CONNECTIONS: ['0', 'unlimited'],
  MAX_CONNECTIONS_PER_ADDRESS: ['0', 'few'],
  SEND_TIMEOUT_MS: ['99', '30s'],
  CHECKOUT_RATE_PER_SECOND: ['0', '1.5'],
  STREAM_MAX_READERS: ['0', 'all'],
  STREAM_MAX_READERS_PER_TOKEN: ['0', 'all'],
  SHUTDOWN_GRACE_MS: ['10s', '-1'],
  WORKER_HOST: ['http://localhost', '*'],
  WORKER_PORT: ['65536', 'x'],
  TASKS: ['ping', 'pings,', 'pings,pings', 'pings webhooks'],
  CELL: ['-1', '256', 'a'],
  CHECKOUT_SCHEME: ['X X', 'XX:', 'ÄX', 'X'.repeat(33), 'X\n'],
  CHECKOUT_CLIENT_ID: ['a:b', 'a b', 'ü'],
  CHECKOUT_CLIENT_SECRET: ['spaces in a secret', 'geheimnisträger'],
  CHECKOUT_VARIANT: ['retail', 'Payment'],
  CARRIERS: [',', 'UPS,,FedEx', 'UPS,UPS', 'UPS\nFedEx'],
  TRACKING_NUMBERS: ['yes', 'Checked'],
  STATUS_CATALOGUE_FILE: ['/no/such/catalogue.json', import.meta.dirname],
  APPROVAL_FROM_ORDERS: ['0', 'many', '1.5'],
  REVIEW_TOTAL_FROM: ['-5', '1.005', '$500', '1e3'],
  CURRENCY: ['usd', 'JPY', 'US', '$'],
  PAYMENT_PROVIDER: ['true', 'none'],
  PAYMENT_PROVIDER_A: ['true', 'none'],
  PAYMENT_PROVIDER_B: ['true', 'none'],
  STRIPE_SECRET_KEY: ['with blank'],
  STRIPE_WEBHOOK_SECRET: ['with blank'],
  STRIPE_API_URL: ['http://stripe.example', 'https://u:p@stripe.example', 'stripe'],
  BRAINTREE_MERCHANT_ID: ['with blank'],
  BRAINTREE_PUBLIC_KEY: ['with blank'],
  BRAINTREE_PRIVATE_KEY: ['with blank'],
  BRAINTREE_API_URL: ['http://braintree.example/graphql', 'braintree'],
  CAPTURE: ['later', 'Delivery'],
  REFUND_APPROVAL_FROM: ['-1', '$500', '1.005'],
  REFUNDS_PER_SECOND: ['0', '10001', '2.5'],
  REVIEW_WITHIN_MINUTES: ['0', '1.5', '525601', 'soon'],
  EXCEPTION_WITHIN_MINUTES: ['0', '-1', '525601'],
  SHIP_BEFORE_EVENT_HOURS: ['-1', '8761', '3d'],
  DELIVER_BEFORE_EVENT_HOURS: ['-1', '8761', '24h'],
  TRANSFER_ACCEPT_HOURS: ['0', '8761', '24h'],
  RETRANSFER_HOURS: ['0', '8761', '4h'],
  REENTER_HOURS: ['0', '8761', '2h'],
  PASS_CERT_FILE: ['/no/such/file.pem', import.meta.dirname],
  PASS_KEY_FILE: ['/no/such/file.pem', import.meta.dirname],
  PASS_WWDR_FILE: ['/no/such/file.pem', import.meta.dirname],
  PASS_TYPE_ID: ['pass example', 'pass/tickets', 'x'.repeat(201)],
  PASS_TEAM_ID: ['A B', 'x'.repeat(33)],
  CARD_DATA_IN_FREE_FIELDS: ['allow', 'Mask'],
  PAYMENT_TIMEOUT_MS: ['99', '45s', '2147483648'],
  PAYMENT_OUTCOME_AFTER_MS: ['99', '1m', '2147483648'],
  PAYMENT_SWEEP_MS: ['99', '1m', '2147483648'],
  PAYMENT_RETRY_FIRST_MS: ['99', '5s', '2147483648'],
  PAYMENT_RETRY_MAX_MS: ['99', '10m', '2147483648'],
  BACKOFFICE_TOKEN: ['spaces in a token', 'x'.repeat(1_025)],
  OPERATOR_EMAIL: ['ada', 'ada@example.com.', 'Ada<ada@example.com>', 'ada @example.com'],
  OPERATOR_PASSWORD: ['7 chars', 'a line\nbreak'],
  PASSWORD_MIN_LENGTH: ['7', '65', 'long'],
  SESSION_IDLE_MINUTES: ['0', '721', '15m'],
  SIGN_IN_LOCK_MINUTES: ['0', '1441', '-1'],
  UNUSED_ACCOUNT_DAYS: ['0', '3651', 'never'],
  TOKEN_DAYS: ['0', '1.5'],
  REQUIRE_TOTP: ['king', 'administrator,', 'support,support', 'true'],
  OIDC_ISSUER: ['accounts.example', 'http://accounts.example', 'https://u:p@a.example', 'https://a.example/?q'],
  OIDC_CLIENT_ID: ['with blank'],
  OIDC_CLIENT_SECRET: ['with blank'],
  OIDC_ROLES: ['support', 'groups=staff', 'groups=staff:king', '*=support', 'groups=a:viewer,'],
  OIDC_TRUSTED_DOMAINS: ['https://acme.example', '*.acme.example', 'acme.example,'],
  OIDC_SCOPES: ['email', 'openid,email'],
  DISCOVERY_CLIENT_ID: ['a:b', 'a b'],
  DISCOVERY_RATE_PER_SECOND: ['0', '1.5'],
  DISCOVERY_PAST_EVENTS: ['keep', 'true'],
  GEOIP_DB: ['/no/such.mmdb'],
  REQUEST_LOG_DAYS: ['0', '1.5'],
  ANSWER_DAYS: ['0', '1.5'],
  ATTEMPT_DAYS: ['0', '1.5'],
  READ_DAYS: ['0', '1.5'],
  PERSONAL_DATA_DAYS: ['0', '1.5'],
  DELIVERY_HISTORY_DAYS: ['0', '1.5'],
  POPULARITY_DAYS: ['0', '1.5'],
  POPULARITY_EVERY_MS: ['99', 'often'],
  SAMPLE_DATA: ['on', '0'],
  PLATFORM_URL: ['platform.example', 'ws://platform.example'],
  SANDBOX: ['yes', '1', 'sandbox'],
  PING_RETRY_FIRST_MS: ['0', '5s'],
  PING_RETRY_MAX_MS: ['0', '10h', '2147483648'],
  PING_RETRY_FOR_MS: ['0', '75h', '99999999999999999999'],
  PING_TIMEOUT_MS: ['0', '-1', 'never'],
  PING_CONCURRENCY: ['0', '10001'],
  PING_RATE_PER_SECOND: ['-1', '0.5'],
  WEBHOOK_ALLOW_PRIVATE: ['yes', '1'],
  WEBHOOK_CONCURRENCY: ['0', '1.5'],
  SWEEP_EVERY_MS: ['9', '1s'],
};

function errorsOf(environment: Record<string, string | undefined>, needs: readonly SettingName[] = []) {
  try {
    parseSettings(environment, needs);
  } catch (error) {
    if (error instanceof SettingsError) return error.errors;
    throw error;
  }
  return [];
}

describe('bad values', () => {
  const rows = Object.entries(bad).flatMap(([name, values]) => values.map((value) => [name, value] as const));

  it.each(rows)('%s refuses %j', (name, value) => {
    expect(errorsOf({ [name]: value }).filter((error) => error.startsWith(`${name}: must be`))).toHaveLength(1);
  });

  it('are not repeated in the error, because they may be secrets', () => {
    const errors = errorsOf({
      DATABASE_URL: 'mysql://willcall:canary@db/willcall',
      REDIS_URL: 'http://:canary@redis',
      PLATFORM_URL: 'https://willcall:canary@platform.example',
      ENCRYPTION_KEY: 'canary',
      CHECKOUT_CLIENT_SECRET: 'a canary',
      BACKOFFICE_TOKEN: 'a canary',
    });
    expect(errors).toHaveLength(6);
    expect(errors.join()).not.toContain('canary');
  });

  it('are reported in one message, one line each', () => {
    const environment = Object.fromEntries(Object.entries(bad).map(([name, [value]]) => [name, value]));
    const parse = () => parseSettings(environment);
    expect(parse).toThrow(SettingsError);
    const lines = errorsOf(environment);
    expect(lines.map((line) => line.split(':')[0])).toEqual(Object.keys(schema.shape));
    expect(parse).toThrow(lines.join('\n'));
  });
});

describe('settings that depend on each other', () => {
  it.each([
    [
      { MIGRATION_DATABASE_URL: 'postgres://owner@db/willcall' },
      'DATABASE_URL: must be set when MIGRATION_DATABASE_URL is',
    ],
    [{ READ_ONLY: 'true' }, 'DATABASE_URL: must be set when READ_ONLY is'],
    [{ READ_ONLY: 'true', DATABASE_URL: 'postgres://a,b/c' }, 'DATABASE_URL: must name one server with READ_ONLY'],
    [{ TLS_CERT_FILE: thisFile }, 'TLS_KEY_FILE: must be set when TLS_CERT_FILE is'],
    [{ TLS_KEY_FILE: thisFile }, 'TLS_CERT_FILE: must be set when TLS_KEY_FILE is'],
    [
      { PASS_CERT_FILE: thisFile, PASS_KEY_FILE: thisFile, PASS_TEAM_ID: 'ABCDE12345' },
      'PASS_TYPE_ID: must be set when PASS_CERT_FILE is',
    ],
    [{ PASS_WWDR_FILE: thisFile }, 'PASS_CERT_FILE: must be set when PASS_WWDR_FILE is'],
    [{ CHECKOUT_CLIENT_ID: 'acme' }, 'CHECKOUT_CLIENT_SECRET: must be set when CHECKOUT_CLIENT_ID is'],
    [{ CHECKOUT_CLIENT_SECRET: 'short' }, 'CHECKOUT_CLIENT_ID: must be set when CHECKOUT_CLIENT_SECRET is'],
    [{ LEDGER_ANCHOR_URL: 'https://a.example' }, 'LEDGER_ANCHOR_SECRET: must be set when LEDGER_ANCHOR_URL is'],
    [{ LEDGER_ANCHOR_SECRET: `whsec_${key}` }, 'LEDGER_ANCHOR_URL: must be set when LEDGER_ANCHOR_SECRET is'],
    [
      { LEDGER_ANCHOR_BUCKET: 's3://tickets/anchors', S3_BUCKET: 'tickets' },
      'LEDGER_ANCHOR_BUCKET: must be another bucket than S3_BUCKET, because Object Lock keeps removed files',
    ],
    [{ OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }, 'OIDC_ISSUER: must be set when OIDC_CLIENT_ID is'],
    [{ OIDC_ISSUER: 'https://a.b', OIDC_CLIENT_ID: 'a' }, 'OIDC_CLIENT_SECRET: must be set when OIDC_CLIENT_ID is'],
    [
      { PING_RETRY_FIRST_MS: '11', PING_RETRY_MAX_MS: '10' },
      'PING_RETRY_FIRST_MS: must not be greater than PING_RETRY_MAX_MS',
    ],
    [{ PAYMENT_TIMEOUT_MS: '60001' }, 'PAYMENT_TIMEOUT_MS: must not be greater than PAYMENT_OUTCOME_AFTER_MS'],
  ])('%j', (environment, error) => {
    expect(errorsOf(environment)).toEqual([error]);
  });

  it('names only the invalid one of a pair', () => {
    expect(errorsOf({ CHECKOUT_CLIENT_ID: 'acme', CHECKOUT_CLIENT_SECRET: 'with space' })).toEqual([
      'CHECKOUT_CLIENT_SECRET: must be visible ASCII characters without spaces',
    ]);
  });

  it('lists the settings that a service needs and does not have', () => {
    const errors = ['DATABASE_URL: must be set', 'ENCRYPTION_KEY: must be set'];
    expect(errorsOf({ ENCRYPTION_KEY: '' }, SERVICE_NEEDS)).toEqual(errors);
    const real = { DATABASE_URL: 'postgres://db/willcall', ENCRYPTION_KEY: key };
    expect(errorsOf({ ...real, SANDBOX: 'true' }, SERVICE_NEEDS)).toEqual([]);
  });
});

describe('good values', () => {
  it('have the defaults of the contract for the embedded server', () => {
    expect(parseSettings({})).toEqual({
      PORT: 3000,
      HOST: '127.0.0.1',
      PUBLIC_URL: 'http://127.0.0.1:3000',
      OPERATIONS_PORT: 3000,
      SURFACES: [...SURFACES],
      DOCS: true,
      DATA_DIR: '.data',
      READ_ONLY: false,
      DATABASE_POOL_SIZE: 10,
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'auto',
      TRUST_PROXY: [],
      ALLOWED_HOSTS: [],
      PASSWORD_MIN_LENGTH: 12,
      SESSION_IDLE_MINUTES: 15,
      SIGN_IN_LOCK_MINUTES: 15,
      TOKEN_DAYS: 90,
      REQUIRE_TOTP: [],
      OIDC_ROLES: [],
      OIDC_TRUSTED_DOMAINS: [],
      OIDC_SCOPES: 'openid email profile',
      REQUIRE_HTTPS: false,
      MAX_CONNECTIONS: 10_000,
      MAX_CONNECTIONS_PER_ADDRESS: 2_500,
      SEND_TIMEOUT_MS: 30_000,
      CHECKOUT_RATE_PER_SECOND: 10_000,
      FILES_DIR: join('.data', 'files'),
      SMTP_REQUIRE_TLS: true,
      MAIL_AUTOMATIC: false,
      MAIL_FROM: 'Willcall <tickets@localhost>',
      MAIL_LOCALE: 'en-US',
      S3_REGION: 'us-east-1',
      TICKET_MAX_BYTES: 10_485_760,
      TRACKING_NUMBERS: 'any',
      LEDGER_ANCHORS: join('.data', 'ledger-anchors.jsonl'),
      LEDGER_ANCHOR_RETENTION: 'compliance',
      LEDGER_ANCHOR_RETENTION_DAYS: 365,
      LOCK_TIMEOUT_MS: 2_500,
      SHUTDOWN_GRACE_MS: 10_000,
      WORKER_HOST: '127.0.0.1',
      WORKER_PORT: 0,
      TASKS: [...TASK_GROUPS],
      CELL: 0,
      CHECKOUT_SCHEME: 'XX',
      CHECKOUT_VARIANT: 'payment',
      CARRIERS: ['UPS', 'FedEx'],
      APPROVAL_FROM_ORDERS: 1_000,
      REVIEW_WITHIN_MINUTES: 60,
      EXCEPTION_WITHIN_MINUTES: 1_440,
      SHIP_BEFORE_EVENT_HOURS: 72,
      DELIVER_BEFORE_EVENT_HOURS: 24,
      TRANSFER_ACCEPT_HOURS: 24,
      RETRANSFER_HOURS: 4,
      REENTER_HOURS: 2,
      CARD_DATA_IN_FREE_FIELDS: 'mask',
      CURRENCY: 'USD',
      CAPTURE: 'confirmation',
      REFUND_APPROVAL_FROM: 500,
      REFUNDS_PER_SECOND: 25,
      PAYMENT_TIMEOUT_MS: 45_000,
      PAYMENT_OUTCOME_AFTER_MS: 60_000,
      PAYMENT_SWEEP_MS: 60_000,
      PAYMENT_RETRY_FIRST_MS: 5_000,
      PAYMENT_RETRY_MAX_MS: 600_000,
      DISCOVERY_RATE_PER_SECOND: 10_000,
      DISCOVERY_PAST_EVENTS: 'show',
      REQUEST_LOG_DAYS: 30,
      ANSWER_DAYS: 30,
      ATTEMPT_DAYS: 365,
      READ_DAYS: 365,
      DELIVERY_HISTORY_DAYS: 90,
      POPULARITY_DAYS: 30,
      POPULARITY_EVERY_MS: 180_000,
      SAMPLE_DATA: true,
      SANDBOX: true,
      PAYMENT_PROVIDER: 'sandbox',
      PING_RETRY_FIRST_MS: 5000,
      PING_RETRY_MAX_MS: 36_000_000,
      PING_RETRY_FOR_MS: 270_000_000,
      PING_TIMEOUT_MS: 15_000,
      PING_CONCURRENCY: 50,
      PING_RATE_PER_SECOND: 0,
      WEBHOOK_ALLOW_PRIVATE: false,
      WEBHOOK_CONCURRENCY: 200,
      STREAM_MAX_READERS: 2_000,
      STREAM_MAX_READERS_PER_TOKEN: 500,
      SWEEP_EVERY_MS: 1000,
    });
  });

  it('are strict as soon as a real server is named', () => {
    const settings = parseSettings({ DATABASE_URL: 'postgres://willcall@db/willcall' });
    expect(settings).toMatchObject({ REQUIRE_HTTPS: true, SAMPLE_DATA: false, SANDBOX: false, DOCS: false });
    expect(settings.OPERATIONS_PORT).toBe(9464);
    expect(settings).not.toHaveProperty('PAYMENT_PROVIDER');
    const lenient = { DATABASE_URL: 'postgresql://db/willcall', REQUIRE_HTTPS: 'false', SAMPLE_DATA: 'true' };
    expect(parseSettings(lenient)).toMatchObject({ REQUIRE_HTTPS: false, SAMPLE_DATA: true });
  });

  it('derive the public address from the address of the API', () => {
    expect(parseSettings({ HOST: '::1', PORT: '8080' }).PUBLIC_URL).toBe('http://[::1]:8080');
    const tls = { HOST: 'tickets.example', PORT: '443', TLS_CERT_FILE: thisFile, TLS_KEY_FILE: thisFile };
    expect(parseSettings(tls).PUBLIC_URL).toBe('https://tickets.example:443');
    expect(parseSettings({ PUBLIC_URL: 'https://a.example/tickets/' }).PUBLIC_URL).toBe('https://a.example/tickets');
  });

  it('send pings to the sandbox unless a platform is named', () => {
    expect(platformUrl(parseSettings({ PUBLIC_URL: 'https://a.example/' }))).toBe('https://a.example/sandbox');
    expect(platformUrl(parseSettings({ PLATFORM_URL: 'https://platform.example/' }))).toBe('https://platform.example');
  });

  it('include lists, amounts and keys', () => {
    const settings = parseSettings({
      TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,fd00::/8',
      CARRIERS: 'UPS, Royal Mail',
      REVIEW_TOTAL_FROM: '499.50',
      ENCRYPTION_KEY: key,
    });
    expect(settings.TRUST_PROXY).toEqual(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);
    expect(settings.CARRIERS).toEqual(['UPS', 'Royal Mail']);
    expect(settings.REVIEW_TOTAL_FROM).toBe(499.5);
    expect(settings.ENCRYPTION_KEY).toEqual(Buffer.alloc(32, 7));
  });

  it('treat an empty text as unset and ignore other variables', () => {
    const empty = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, '']));
    expect(parseSettings({ ...empty, PATH: '/bin' })).toEqual(parseSettings({}));
  });

  it('can be passed to a child process', () => {
    const settings = parseSettings({
      TRUST_PROXY: '10.0.0.1',
      ENCRYPTION_KEY: key,
      ENCRYPTION_KEY_PREVIOUS: `${Buffer.alloc(32, 8).toString('base64')}, ${Buffer.alloc(32, 9).toString('base64')}`,
      REVIEW_TOTAL_FROM: '12',
    });
    const childEnvironment = { ...toEnvironment(settings), DATABASE_URL: 'postgres://127.0.0.1:5555/willcall' };
    // Apart from its server's address the child has everything as its parent resolved it.
    expect(parseSettings(childEnvironment)).toEqual(
      Object.assign(settings, { DATABASE_URL: childEnvironment.DATABASE_URL }),
    );
  });
});
