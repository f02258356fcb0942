import { readFileSync, watchFile } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Settings } from '#config/settings';
import { errorFields, type Logger } from '#operations/logger';

type Tls = { cert: Buffer; key: Buffer };

// watchFile polls. Certificates change every few weeks, so a delay of a second does no harm.
const LOOK_EVERY_MS = 1_000;

/** Certificate and key, where the api serves HTTPS itself. */
export function tlsFiles({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }: Settings): Tls | undefined {
  return cert && key ? { cert: readFileSync(cert), key: readFileSync(key) } : undefined;
}

/** Loads a renewed certificate without a restart. The old pair stays if the new files do not match. */
export function reloadWhenChanged(settings: Settings, server: Server, logger: Logger): void {
  const reload = () => {
    try {
      const files = tlsFiles(settings);
      if (!files) return;
      // While only one of the two files is new, they do not match. With such a pair every handshake would fail.
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
