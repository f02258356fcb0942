import { readFileSync, watchFile } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Settings } from '#config/settings';
import { errorFields, type Logger } from '#operations/logger';

type Tls = { cert: Buffer; key: Buffer };

// watchFile polls: certificates change every few weeks, and a second late is early enough.
const LOOK_EVERY_MS = 1_000;

/** Certificate and key, where the api serves HTTPS itself. */
export function tlsFiles({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }: Settings): Tls | undefined {
  return cert && key ? { cert: readFileSync(cert), key: readFileSync(key) } : undefined;
}

/** Takes a renewed certificate over without a restart. Files that do not fit each other leave the old pair in place. */
export function reloadWhenChanged(settings: Settings, server: Server, logger: Logger): void {
  const reload = () => {
    try {
      const files = tlsFiles(settings);
      if (!files) return;
      // Between the writing of the two files they do not fit, and a server given such a pair answers nobody.
      createSecureContext(files);
      server.setSecureContext(files);
      logger.info({}, 'the certificate was taken over');
    } catch (error) {
      logger.warn(errorFields(error), 'the certificate and its key cannot be used: the old ones stay');
    }
  };
  for (const file of [settings.TLS_CERT_FILE, settings.TLS_KEY_FILE]) {
    if (file) watchFile(file, { persistent: false, interval: LOOK_EVERY_MS }, reload);
  }
}
