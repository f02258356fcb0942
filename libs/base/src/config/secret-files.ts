import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that are secrets or contain one. Each can also be given as `NAME_FILE`, the path of a file with the value. */
export const SECRET_SETTINGS: readonly string[] = [
  'DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'ENCRYPTION_KEY',
  'ENCRYPTION_KEY_PREVIOUS',
  'LEDGER_ANCHOR_SECRET',
  'CHECKOUT_CLIENT_SECRET',
  'BACKOFFICE_TOKEN',
  'OPERATOR_PASSWORD',
  'OIDC_CLIENT_SECRET',
  'S3_SECRET_ACCESS_KEY',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'BRAINTREE_PUBLIC_KEY',
  'BRAINTREE_PRIVATE_KEY',
];

export const fileNameOf = (setting: string): string => `${setting}_FILE`;

export const SECRET_FILE_NAMES: readonly string[] = SECRET_SETTINGS.map(fileNameOf);

/** The environment with the values of the named files, without a last line break, and one sentence per unusable file. Quotes no value. */
export function withSecretFiles(environment: Environment): { environment: Environment; errors: string[] } {
  const errors: string[] = [];
  const values: Record<string, string> = {};
  for (const setting of SECRET_SETTINGS) {
    const name = fileNameOf(setting);
    const path = environment[name];
    if (!path) continue;
    const value = readSecret(path);
    if (environment[setting]) errors.push(`${name}: must not be set when ${setting} is`);
    else if (value === undefined) errors.push(`${name}: must be the path of a readable file`);
    else if (value === '') errors.push(`${name}: must be a file with the value of ${setting}, but it is empty`);
    else values[setting] = value;
  }
  return { environment: { ...environment, ...values }, errors };
}

/** Without the names of the files, for a process that gets the values. */
export function withoutSecretFiles(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !SECRET_FILE_NAMES.includes(name)));
}

function readSecret(path: string): string | undefined {
  try {
    // Editors and `echo` end a file with a line break.
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}
