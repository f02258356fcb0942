import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { Reader } from 'maxmind';
import { parseStatusCatalogue } from '../status-catalogue-file.contract.js';

export type NamedFiles = Readonly<
  Partial<
    Record<
      'STATUS_CATALOGUE_FILE' | 'GEOIP_DB' | 'TLS_CERT_FILE' | 'TLS_KEY_FILE' | 'PASS_CERT_FILE' | 'PASS_KEY_FILE',
      string | undefined
    >
  >
>;

/** Returns one sentence per unusable file. Never quotes the file, because it may be a wrong one with secrets. */
export function contentErrors(files: NamedFiles): string[] {
  const { STATUS_CATALOGUE_FILE: catalogue, GEOIP_DB: geoip, TLS_CERT_FILE: cert, TLS_KEY_FILE: key } = files;
  const { PASS_CERT_FILE: passCert, PASS_KEY_FILE: passKey } = files;
  return [
    ...(catalogue === undefined ? [] : catalogueErrors(catalogue)),
    ...(geoip === undefined || isMmdb(geoip) ? [] : ['GEOIP_DB: must be a MaxMind DB file (mmdb)']),
    ...(cert === undefined || key === undefined || fit(cert, key)
      ? []
      : ['TLS_CERT_FILE: must be a PEM certificate that fits the key of TLS_KEY_FILE']),
    ...(passCert === undefined || passKey === undefined || (fit(passCert, passKey) && isRsa(passKey))
      ? []
      : ['PASS_CERT_FILE: must be a PEM certificate that fits the RSA key of PASS_KEY_FILE']),
  ];
}

function catalogueErrors(file: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return ['STATUS_CATALOGUE_FILE: must be a JSON file'];
  }
  try {
    parseStatusCatalogue(value);
    return [];
  } catch (error) {
    // The first line is only a heading.
    const [, ...lines] = (error as Error).message.split('\n- ');
    return lines.map((line) => `STATUS_CATALOGUE_FILE: ${line}`);
  }
}

function isMmdb(file: string): boolean {
  try {
    new Reader(readFileSync(file)).get('192.0.2.1');
    return true;
  } catch {
    return false;
  }
}

function isRsa(key: string): boolean {
  return createPrivateKey(readFileSync(key)).asymmetricKeyType === 'rsa';
}

function fit(cert: string, key: string): boolean {
  try {
    const pair = { cert: readFileSync(cert), key: readFileSync(key) };
    createSecureContext(pair);
    // OpenSSL accepts a pair of different types (RSA and Ed25519), but then every handshake fails.
    return new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key));
  } catch {
    return false;
  }
}
