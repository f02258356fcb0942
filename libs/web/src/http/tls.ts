import { readFileSync, watchFile } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Settings } from '#base/settings';
import { errorFields, type Logger } from '#platform/logger';

type Tls = { cert: Buffer; key: Buffer; minVersion: 'TLSv1.2'; ciphers: string };

/** Node's list still has CBC suites for TLS 1.2. */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

// watchFile polls. Certificates change every few weeks, so a delay of a second does no harm.
const LOOK_EVERY_MS = 1_000;

/** Certificate, key and ciphers, where the api serves HTTPS itself. */
export function tlsOptions({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }: Settings): Tls | undefined {
  if (!cert || !key) return undefined;
  return { cert: readFileSync(cert), key: readFileSync(key), minVersion: 'TLSv1.2', ciphers: CIPHERS };
}

/** Loads a renewed certificate without a restart. The old pair stays if the new files do not match. */
export function reloadWhenChanged(settings: Settings, server: Server, logger: Logger): void {
  const reload = () => {
    try {
      const options = tlsOptions(settings);
      if (!options) return;
      // While only one of the two files is new, they do not match. With such a pair every handshake would fail.
      createSecureContext(options);
      server.setSecureContext(options);
      logger.info({}, 'the certificate was taken over');
    } catch (error) {
      logger.warn(errorFields(error), 'the certificate and its key cannot be used: the old ones stay');
    }
  };
  for (const file of [settings.TLS_CERT_FILE, settings.TLS_KEY_FILE]) {
    if (file) watchFile(file, { persistent: false, interval: LOOK_EVERY_MS }, reload);
  }
}
