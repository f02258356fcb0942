import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Settings } from '#base/settings';
import { fail, type Finding, ok, warn } from './finding.js';

const OLDEST_NODE = [20, 19] as const;
const GIGABYTE = 1024 ** 3;
const DAY_MS = 86_400_000;
const RENEW_WITHIN_DAYS = 30;
const ANSWER_WITHIN_MS = 5_000;

/** @param version as in `process.versions.node`. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  if (isOld) return fail('node', version, `Install Node.js ${OLDEST_NODE.join('.')} or newer.`);
  return ok('node', version);
}

/** @param free bytes available for DATA_DIR. */
export function diskFinding(free: number): Finding {
  const detail = `${(free / GIGABYTE).toFixed(1)} GB free for DATA_DIR`;
  if (free < GIGABYTE / 4) return fail('disk', detail, 'Make room: PostgreSQL stops when the disk is full.');
  return free < 2 * GIGABYTE ? warn('disk', detail, 'Make room soon.') : ok('disk', detail);
}

export async function checkDisk({ DATA_DIR, DATABASE_URL }: Settings): Promise<Finding> {
  if (DATABASE_URL !== undefined) return ok('disk', "the database server's disk is its administrator's to watch");
  const { bavail, bsize } = await statfs(DATA_DIR);
  return diskFinding(bavail * bsize);
}

/** @param now in milliseconds since the epoch. */
export function checkHttps(settings: Settings, now: number): Finding {
  const { PUBLIC_URL, REQUIRE_HTTPS, TLS_CERT_FILE, TRUST_PROXY } = settings;
  const isHttps = PUBLIC_URL.startsWith('https:');
  if (TLS_CERT_FILE !== undefined) {
    const certificate = new X509Certificate(readFileSync(TLS_CERT_FILE));
    return certificateFinding('https', certificate, now, 'the platform refuses a certificate that has ended.');
  }
  if (REQUIRE_HTTPS && TRUST_PROXY.length === 0) {
    const advice = 'Set TLS_CERT_FILE and TLS_KEY_FILE, or name the proxy that serves HTTPS in TRUST_PROXY.';
    return fail('https', 'REQUIRE_HTTPS refuses every request: nothing here serves HTTPS', advice);
  }
  if (REQUIRE_HTTPS && !isHttps) return fail('https', `PUBLIC_URL is ${PUBLIC_URL}`, 'Set PUBLIC_URL to https://…');
  return ok('https', REQUIRE_HTTPS ? 'by the proxy of TRUST_PROXY' : 'not required');
}

/** Whether a certificate has ended, or will soon. @param why it must not */
export function certificateFinding(check: string, { validTo }: X509Certificate, now: number, why: string): Finding {
  const ends = new Date(validTo);
  const days = Math.floor((ends.getTime() - now) / DAY_MS);
  const detail = `the certificate ends on ${ends.toISOString()}`;
  if (days < 0) return fail(check, detail, `Renew it: ${why}`);
  return days < RENEW_WITHIN_DAYS ? warn(check, detail, 'Renew it.') : ok(check, detail);
}

/** Any answer counts: the request names no order, so its status means nothing. */
export async function checkPlatform({ PLATFORM_URL, DATABASE_URL, SANDBOX }: Settings, send = fetch): Promise<Finding> {
  const check = 'platform';
  if (PLATFORM_URL === undefined) {
    if (!SANDBOX) return fail(check, 'pings go nowhere', 'Set PLATFORM_URL, or SANDBOX=true to try it out.');
    if (DATABASE_URL === undefined) return ok(check, 'the built-in sandbox');
    return warn(check, 'pings go to the built-in sandbox', 'Set PLATFORM_URL to the address of the platform.');
  }
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const { status } = await send(PLATFORM_URL, { method: 'HEAD', redirect: 'manual', signal });
    return ok(check, `${PLATFORM_URL} answers (HTTP ${status})`);
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } };
    const why = cause?.code ?? message;
    return fail(
      check,
      `${PLATFORM_URL} does not answer (${why})`,
      'See PLATFORM_URL, the firewall and the name server.',
    );
  }
}
