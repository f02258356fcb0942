import { generateKeyPair } from 'node:crypto';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { SystemClock } from '#base/clock';
import { SystemRandomness } from '#base/randomness';
import type { Settings } from '#base/settings';
import { changeSettings } from './change-settings.js';

const DEMO = { PASS_TYPE_ID: 'pass.example.willcall.demo', PASS_TEAM_ID: 'DEMO000000' };
const YEARS = 10;

/** The settings of the demo with a certificate for passes, which is made once and kept in DATA_DIR. No iPhone trusts it. */
export async function withDemoPasses(settings: Settings): Promise<Settings> {
  if (settings.PASS_CERT_FILE !== undefined) return settings;
  const folder = resolve(settings.DATA_DIR, 'passes');
  if (!existsSync(folder)) await makeFiles(folder);
  return changeSettings(settings, {
    ...DEMO,
    PASS_CERT_FILE: join(folder, 'certificate.pem'),
    PASS_KEY_FILE: join(folder, 'key.pem'),
    PASS_WWDR_FILE: join(folder, 'issuer.pem'),
  });
}

/** The folder appears whole, or not at all. */
async function makeFiles(folder: string): Promise<void> {
  const files = Object.entries(await testChain());
  const unfinished = mkdtempSync(`${folder}.`);
  for (const [name, text] of files) {
    writeFileSync(join(unfinished, name), text, { mode: 0o600, flush: true });
  }
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    // Another start on this DATA_DIR was faster.
    if (!existsSync(folder)) throw error;
  }
}

/** An issuer, and the certificate of a pass type that it has issued. */
async function testChain(): Promise<Record<'certificate.pem' | 'key.pem' | 'issuer.pem', string>> {
  const { default: forge } = await import('node-forge');
  const [issuer, own] = await Promise.all([keyPair(), keyPair()]);
  const named = (name: string, more: readonly object[] = []) => [{ shortName: 'CN', value: name }, ...more];
  const issuerName = named('Willcall test issuer');
  const certified = (subject: object[], publicKey: string, isIssuer: boolean): string => {
    const certificate = forge.pki.createCertificate();
    certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
    certificate.serialNumber = `01${new SystemRandomness().bytes(8).toString('hex')}`;
    const now = new SystemClock().now();
    certificate.validity.notBefore = new Date(now - 86_400_000);
    certificate.validity.notAfter = new Date(now + YEARS * 365 * 86_400_000);
    certificate.setSubject(subject);
    certificate.setIssuer(issuerName);
    certificate.setExtensions([
      { name: 'basicConstraints', cA: isIssuer, critical: true },
      { name: 'keyUsage', critical: true, ...(isIssuer ? { keyCertSign: true } : { digitalSignature: true }) },
    ]);
    certificate.sign(forge.pki.privateKeyFromPem(issuer.privateKey), forge.md.sha256.create());
    return forge.pki.certificateToPem(certificate);
  };
  const { PASS_TYPE_ID: typeId, PASS_TEAM_ID: team } = DEMO;
  // As in Apple's certificates: UID and OU.
  const ownName = named(`Pass Type ID: ${typeId}`, [
    { type: '0.9.2342.19200300.100.1.1', value: typeId },
    { shortName: 'OU', value: team },
  ]);
  return {
    'certificate.pem': certified(ownName, own.publicKey, false),
    'key.pem': own.privateKey,
    'issuer.pem': certified(issuerName, issuer.publicKey, true),
  };
}

const keyPair = () =>
  promisify(generateKeyPair)('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
