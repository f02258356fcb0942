import { PAYMENT, STAFF_TOKEN } from './callers.js';
import { applicationUrl } from './database.js';

/** The start of `Location`. Not an address of this machine, so that it cannot be right by chance. */
export const PUBLIC_URL = 'https://tickets.example/shop';

/** The environment of an api with that database, which it uses with its own login. */
export function apiEnvironment(databaseUrl: string): Record<string, string> {
  return {
    PORT: '0',
    // The same port: metrics and documentation are on it.
    OPERATIONS_PORT: '0',
    DOCS: 'true',
    DATABASE_URL: applicationUrl(databaseUrl),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    BACKOFFICE_TOKEN: STAFF_TOKEN,
    REQUIRE_HTTPS: 'false',
    PUBLIC_URL,
    SANDBOX: 'true',
    PAYMENT_PROVIDER: 'sandbox',
    CHECKOUT_CLIENT_ID: PAYMENT.clientId,
    CHECKOUT_CLIENT_SECRET: PAYMENT.secret,
  };
}
