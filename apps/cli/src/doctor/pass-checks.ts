import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Settings } from '#base/settings';
import { fail, type Finding, warn } from './finding.js';
import { certificateFinding } from './machine-checks.js';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

type PassSettings = Pick<Settings, 'PASS_CERT_FILE' | 'PASS_WWDR_FILE' | 'PASS_TYPE_ID'>;

/** Whether iPhones take the passes that are signed here. Undefined if none are. @param now in milliseconds since the epoch */
export function checkPasses(settings: PassSettings, now: number): Finding | undefined {
  const { PASS_CERT_FILE: file, PASS_WWDR_FILE: issuerFile, PASS_TYPE_ID: typeId } = settings;
  if (file === undefined) return undefined;
  const check = 'passes';
  const [own = '', next] = readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
  const certificate = new X509Certificate(own);
  const issuer = issuerFile === undefined ? next : readFileSync(issuerFile, 'utf8');
  if (!certificate.subject.split('\n').includes(`UID=${typeId}`)) {
    return fail(check, `the certificate is not for ${typeId}`, 'Set PASS_TYPE_ID to the pass type of PASS_CERT_FILE.');
  }
  if (issuer === undefined || !certificate.checkIssued(new X509Certificate(issuer))) {
    const detail = 'iPhones refuse passes without the certificate that issued that of PASS_CERT_FILE';
    return warn(check, detail, "Set PASS_WWDR_FILE to Apple's certificate (WWDR).");
  }
  return certificateFinding(check, certificate, now, 'iPhones refuse passes that are signed after it has ended.');
}
