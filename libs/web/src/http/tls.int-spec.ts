import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/support/api.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { until } from '../../../../test/support/until.js';

const hasOpenssl = succeeds(() => execFileSync('openssl', ['version']));
if (!hasOpenssl) process.stderr.write('tls.int-spec: no openssl here to make certificates with, it is skipped\n');

describe.skipIf(!hasOpenssl)('HTTPS served by the api itself', () => {
  const folder = temporaryFolder('tls');
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

  it('offers TLS 1.2 and 1.3, and no suites with CBC', async () => {
    const agreed = (options: object) =>
      new Promise<string>((resolve) => {
        const to = { host: '127.0.0.1', port: Number(new URL(api.url).port), rejectUnauthorized: false };
        const socket = connect({ ...to, ...options }, () => {
          resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
          socket.end();
        }).on('error', () => resolve('refused'));
      });
    const old = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' };
    expect(await agreed({})).toMatch(/^TLSv1\.3 /);
    expect(await agreed(old)).toMatch(/^TLSv1\.2 ECDHE-RSA-\S+GCM/);
    const withCbc = ['ECDHE-RSA-AES128-SHA256', 'ECDHE-RSA-AES256-SHA', 'AES128-SHA256', 'AES256-SHA'];
    for (const ciphers of withCbc) expect(await agreed({ ...old, ciphers }), ciphers).toBe('refused');
    const oldest = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' };
    expect(await agreed(oldest)).toBe('refused');
  });

  it('says so for a year', async () => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${api.url}/health/live`, { rejectUnauthorized: false }, resolve).on('error', reject);
    });
    answer.resume();
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it('ends a connection whose handshake takes longer than five seconds', async () => {
    const silent = connectTcp({ host: '127.0.0.1', port: Number(new URL(api.url).port) });
    silent.on('error', () => undefined);
    await once(silent, 'connect');
    const began = performance.now();
    await once(silent, 'close');
    expect(performance.now() - began).toBeGreaterThan(4_000);
    expect(performance.now() - began).toBeLessThan(20_000);
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
