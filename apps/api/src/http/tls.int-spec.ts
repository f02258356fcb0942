import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { until } from '../../../../test/support/until.js';

const hasOpenssl = succeeds(() => execFileSync('openssl', ['version']));
if (!hasOpenssl) process.stderr.write('tls.int-spec: no openssl here to make certificates with, it is skipped\n');

describe.skipIf(!hasOpenssl)('HTTPS served by the api itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'willcall-tls-'));
  const file = (name: string) => join(folder, name);
  let api: TestApi;

  beforeAll(async () => {
    for (const name of ['first', 'second']) {
      const out = ['-keyout', file(`${name}.key`), '-out', file(`${name}.crt`), '-subj', `/CN=${name}`];
      execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...out], {
        stdio: 'pipe',
      });
    }
    copyFileSync(file('first.key'), file('live.key'));
    copyFileSync(file('first.crt'), file('live.crt'));
    api = await startTestApi({
      TLS_CERT_FILE: file('live.crt'),
      TLS_KEY_FILE: file('live.key'),
      REQUIRE_HTTPS: 'true',
    });
  });
  afterAll(async () => {
    await api.close();
    rmSync(folder, { recursive: true });
  });

  /** The subject of the certificate that a new connection gets. */
  const shown = () =>
    new Promise<string>((resolve, reject) => {
      const port = Number(new URL(api.url).port);
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
        resolve(new X509Certificate(socket.getPeerCertificate().raw).subject);
        socket.end();
      }).on('error', reject);
    });

  it('uses a renewed pair, and keeps the old one while the files do not match', async () => {
    expect(await shown()).toBe('CN=first');
    copyFileSync(file('second.crt'), file('live.crt'));
    await until(() => api.log.some((line) => line.includes('the old ones stay')), { withinMs: 10_000 });
    expect(await shown()).toBe('CN=first');
    copyFileSync(file('second.key'), file('live.key'));
    await until(async () => (await shown()) === 'CN=second', { withinMs: 10_000 });
    expect(api.log.join('\n')).not.toContain(readFileSync(file('second.key'), 'utf8').split('\n')[1]);
  });
});

function succeeds(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
