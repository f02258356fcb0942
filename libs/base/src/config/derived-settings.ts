import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { readOnlyAddress } from '../database-address.js';
import type { Settings } from '../settings.js';
import type { Parsed } from './settings-schema.js';

/** The usual one of exporters for Prometheus. */
const OPERATIONS_PORT = 9464;

/** What is sent to it leaves the machine on no network. */
function isOnThisMachine(address: string | undefined): boolean {
  return address !== undefined && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(new URL(address).hostname);
}

/** Settings that are unset follow from others, or from whether the database is embedded. */
export function withDerived(values: Parsed): Settings {
  const embedded = values.DATABASE_URL === undefined;
  const scheme = values.TLS_CERT_FILE === undefined ? 'http' : 'https';
  const host = isIPv6(values.HOST) ? `[${values.HOST}]` : values.HOST;
  return {
    ...values,
    // So every connection only reads, whoever opens it.
    ...(values.READ_ONLY && values.DATABASE_URL && { DATABASE_URL: readOnlyAddress(values.DATABASE_URL) }),
    OPERATIONS_PORT: values.OPERATIONS_PORT ?? (embedded ? values.PORT : OPERATIONS_PORT),
    DOCS: values.DOCS ?? values.SANDBOX ?? embedded,
    PUBLIC_URL: values.PUBLIC_URL ?? `${scheme}://${host}:${values.PORT}`,
    SMTP_REQUIRE_TLS: values.SMTP_REQUIRE_TLS ?? !isOnThisMachine(values.SMTP_URL),
    MAIL_AUTOMATIC: values.MAIL_AUTOMATIC ?? values.SMTP_URL !== undefined,
    FILES_DIR: values.FILES_DIR ?? join(values.DATA_DIR, 'files'),
    LEDGER_ANCHORS: values.LEDGER_ANCHORS ?? (embedded ? join(values.DATA_DIR, 'ledger-anchors.jsonl') : ''),
    REQUIRE_HTTPS: values.REQUIRE_HTTPS ?? !embedded,
    SAMPLE_DATA: values.SAMPLE_DATA ?? embedded,
    SANDBOX: values.SANDBOX ?? embedded,
    ...(embedded && { PAYMENT_PROVIDER: values.PAYMENT_PROVIDER ?? 'sandbox' }),
    TRUST_PROXY: values.TRUST_PROXY ?? [],
    ALLOWED_HOSTS: values.ALLOWED_HOSTS ?? [],
    REQUIRE_TOTP: values.REQUIRE_TOTP ?? [],
    OIDC_ROLES: values.OIDC_ROLES ?? [],
    OIDC_TRUSTED_DOMAINS: values.OIDC_TRUSTED_DOMAINS ?? [],
  };
}
