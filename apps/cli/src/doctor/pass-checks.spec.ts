import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { passSettings } from '../../../../test/support/orders/passes.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { checkPasses } from './pass-checks.js';

const DAY_MS = 86_400_000;
let settings: Awaited<ReturnType<typeof passSettings>>;
beforeAll(async () => {
  settings = await passSettings();
});

it('doctor looks at the certificate of passes, where there is one', () => {
  const now = Date.now();
  expect(checkPasses({}, now)).toBeUndefined();
  expect(checkPasses(settings, now)?.state).toBe('ok');
  expect(checkPasses(settings, now + 9.95 * 365 * DAY_MS)?.state).toBe('warn');
  expect(checkPasses(settings, now + 11 * 365 * DAY_MS)?.state).toBe('fail');
  expect(checkPasses({ ...settings, PASS_TYPE_ID: 'pass.example' }, now)?.state).toBe('fail');
});

it('doctor misses the certificate of their issuer', () => {
  const { PASS_CERT_FILE, PASS_WWDR_FILE, PASS_TYPE_ID } = settings;
  expect(checkPasses({ PASS_CERT_FILE, PASS_TYPE_ID }, Date.now())?.state).toBe('warn');
  expect(checkPasses({ ...settings, PASS_WWDR_FILE: PASS_CERT_FILE }, Date.now())?.state).toBe('warn');
  const both = join(temporaryFolder('chain'), 'both.pem');
  writeFileSync(both, readFileSync(PASS_CERT_FILE, 'utf8') + readFileSync(PASS_WWDR_FILE, 'utf8'));
  expect(checkPasses({ PASS_CERT_FILE: both, PASS_TYPE_ID }, Date.now())?.state).toBe('ok');
});
