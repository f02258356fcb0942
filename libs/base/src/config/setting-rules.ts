import { databaseAddresses } from '../database-address.js';

/** The settings that the rules below look at. An invalid one is undefined. */
type Values = Readonly<
  Partial<{
    DATABASE_URL: string | undefined;
    PLATFORM_URL: string | undefined;
    SANDBOX: boolean | undefined;
    REQUIRE_HTTPS: boolean | undefined;
    CHECKOUT_CLIENT_SECRET: string | undefined;
    BACKOFFICE_TOKEN: string | undefined;
  }>
>;

/** Skips a rule if one of its settings is invalid itself. */
export function crossFieldErrors(values: Readonly<Record<string, unknown>>, invalid: ReadonlySet<string>): string[] {
  const errors: string[] = [];
  const allValid = (...used: string[]) => used.every((name) => !invalid.has(name));
  const pair = (one: string, other: string) => {
    if (!allValid(one, other) || (values[one] === undefined) === (values[other] === undefined)) return;
    const [missing, present] = values[one] === undefined ? [one, other] : [other, one];
    errors.push(`${missing}: must be set when ${present} is`);
  };
  const needs = (needed: string, other: string) => {
    if (allValid(needed, other) && values[needed] === undefined) errors.push(`${needed}: must be set when ${other} is`);
  };
  const together = (names: readonly string[]) => {
    const present = names.find((name) => values[name] !== undefined);
    if (present === undefined || !allValid(...names)) return;
    const missing = names.filter((name) => values[name] === undefined);
    errors.push(...missing.map((name) => `${name}: must be set when ${present} is`));
  };
  const atMost = (less: string, more: string) => {
    if (allValid(less, more) && Number(values[less]) > Number(values[more])) {
      errors.push(`${less}: must not be greater than ${more}`);
    }
  };
  for (const other of ['MIGRATION_DATABASE_URL', 'DATABASE_REPLICA_URL']) {
    if (values[other] !== undefined) needs('DATABASE_URL', other);
  }
  if (values['READ_ONLY'] === true) {
    needs('DATABASE_URL', 'READ_ONLY');
    const { DATABASE_URL: address } = values;
    const isOne = typeof address !== 'string' || databaseAddresses(address).length === 1;
    if (!isOne) errors.push('DATABASE_URL: must name one server with READ_ONLY');
  }
  pair('TLS_CERT_FILE', 'TLS_KEY_FILE');
  pair('CHECKOUT_CLIENT_ID', 'CHECKOUT_CLIENT_SECRET');
  pair('OPERATOR_EMAIL', 'OPERATOR_PASSWORD');
  pair('LEDGER_ANCHOR_URL', 'LEDGER_ANCHOR_SECRET');
  pair('OIDC_ISSUER', 'OIDC_CLIENT_ID');
  pair('OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET');
  pair('S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY');
  together(['PASS_CERT_FILE', 'PASS_KEY_FILE', 'PASS_TYPE_ID', 'PASS_TEAM_ID']);
  if (values['PASS_WWDR_FILE'] !== undefined) pair('PASS_CERT_FILE', 'PASS_WWDR_FILE');
  atMost('PING_RETRY_FIRST_MS', 'PING_RETRY_MAX_MS');
  if (allValid('LEDGER_ANCHOR_URL', 'REQUIRE_HTTPS', 'DATABASE_URL') && isUnencrypted(values, 'LEDGER_ANCHOR_URL')) {
    errors.push(`LEDGER_ANCHOR_URL: ${MUST_BE_HTTPS}`);
  }
  if (allValid('LEDGER_ANCHOR_BUCKET', 'S3_BUCKET') && isSameBucket(values)) {
    errors.push('LEDGER_ANCHOR_BUCKET: must be another bucket than S3_BUCKET, because Object Lock keeps removed files');
  }
  // The completer must not give up a purchase while the api still waits for the payment provider.
  atMost('PAYMENT_TIMEOUT_MS', 'PAYMENT_OUTCOME_AFTER_MS');
  atMost('PAYMENT_RETRY_FIRST_MS', 'PAYMENT_RETRY_MAX_MS');
  errors.push(...missingKeys(values, invalid));
  return errors;
}

const DECIDE_ON_PLATFORM = ['PLATFORM_URL', 'SANDBOX', 'DATABASE_URL', 'REQUIRE_HTTPS'];

/** A process that sends pings must know where they go, and may not send buyers' orders unencrypted where it demands HTTPS itself. */
export function platformErrors(values: Values, invalid: ReadonlySet<string>): string[] {
  if (DECIDE_ON_PLATFORM.some((name) => invalid.has(name))) return [];
  const isReal = values.DATABASE_URL !== undefined;
  if (values.PLATFORM_URL === undefined) {
    if (values.SANDBOX ?? !isReal) return [];
    return ['PLATFORM_URL: must be set, or SANDBOX=true for the built-in platform, which is for trying out'];
  }
  return isUnencrypted(values, 'PLATFORM_URL') ? [`PLATFORM_URL: ${MUST_BE_HTTPS}`] : [];
}

const MUST_BE_HTTPS = 'must begin with https:// where REQUIRE_HTTPS is true, as it is with DATABASE_URL';

function isUnencrypted(values: Readonly<Record<string, unknown>>, name: 'LEDGER_ANCHOR_URL' | 'PLATFORM_URL'): boolean {
  const { REQUIRE_HTTPS = values['DATABASE_URL'] !== undefined, [name]: address } = values;
  return REQUIRE_HTTPS === true && typeof address === 'string' && !address.startsWith('https://');
}

/** A bucket with Object Lock has versions: files of tickets would outlive the erasure of personal data there. */
function isSameBucket({ LEDGER_ANCHOR_BUCKET: place, S3_BUCKET: bucket }: Readonly<Record<string, unknown>>): boolean {
  return typeof place === 'string' && typeof bucket === 'string' && place.split('/')[2] === bucket;
}

const SECRETS = ['CHECKOUT_CLIENT_SECRET', 'BACKOFFICE_TOKEN'] as const;
const SHORTEST_SECRET = 16;

/** With a real database server this is no demo, and attackers could guess a short secret. */
export function weakSecretErrors(values: Values): string[] {
  if (values.DATABASE_URL === undefined) return [];
  const weak = SECRETS.filter((name) => (values[name]?.length ?? SHORTEST_SECRET) < SHORTEST_SECRET);
  return weak.map((name) => `${name}: must have at least ${SHORTEST_SECRET} characters where DATABASE_URL is set`);
}

const KEYS_OF = {
  stripe: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  braintree: ['BRAINTREE_MERCHANT_ID', 'BRAINTREE_PUBLIC_KEY', 'BRAINTREE_PRIVATE_KEY'],
} as const;

/** A provider that takes payments needs its keys. */
function missingKeys(values: Readonly<Record<string, unknown>>, invalid: ReadonlySet<string>): string[] {
  const named = new Set(['', '_A', '_B'].map((suffix) => values[`PAYMENT_PROVIDER${suffix}`]));
  return Object.entries(KEYS_OF).flatMap(([provider, keys]) => {
    if (!named.has(provider)) return [];
    const missing = keys.filter((key) => values[key] === undefined && !invalid.has(key));
    return missing.map((key) => `${key}: must be set where payments are taken by ${provider}`);
  });
}
