import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseSettings } from '#base/load-settings';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { withDemoPasses } from './demo-pass-certificate.js';

it('the demo has a certificate for passes, made once, by starts at the same time too', async () => {
  const DATA_DIR = temporaryFolder('demo-passes');
  const given = parseSettings({ DATA_DIR });
  const [first, other] = await Promise.all([withDemoPasses(given), withDemoPasses(given)]);
  expect(other).toEqual(first);
  const { PASS_CERT_FILE = '', PASS_KEY_FILE = '', PASS_WWDR_FILE = '' } = first;
  const text = readFileSync(PASS_CERT_FILE);
  const [own, issuer] = [new X509Certificate(text), new X509Certificate(readFileSync(PASS_WWDR_FILE))];
  expect(own.checkPrivateKey(createPrivateKey(readFileSync(PASS_KEY_FILE)))).toBe(true);
  expect([own.checkIssued(issuer), own.verify(issuer.publicKey), issuer.ca]).toEqual([true, true, true]);
  expect(statSync(PASS_KEY_FILE).mode & 0o077).toBe(0);
  await withDemoPasses(given);
  expect(readFileSync(PASS_CERT_FILE)).toEqual(text);
  expect(readdirSync(DATA_DIR)).toEqual(['passes']);
});

it('a certificate that is set stays', async () => {
  const file = import.meta.filename;
  const set = { PASS_CERT_FILE: file, PASS_KEY_FILE: file, PASS_TYPE_ID: 'pass.example.own', PASS_TEAM_ID: 'OWN' };
  const given = parseSettings({ ...set, DATA_DIR: temporaryFolder('own-passes') });
  expect(await withDemoPasses(given)).toBe(given);
});
