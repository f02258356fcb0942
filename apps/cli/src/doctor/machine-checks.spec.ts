import { describe, expect, it, vi } from 'vitest';
import { parseSettings } from '#base/load-settings';
import type { Environment } from '#base/settings';
import { checkHttps, checkNode, checkPlatform, diskFinding } from './machine-checks.js';

const settings = (environment: Environment) => parseSettings(environment);
const SERVER = { DATABASE_URL: 'postgres://database.example/willcall' };

describe('doctor', () => {
  it.each([
    ['18.20.1', 'fail'],
    ['20.18.9', 'fail'],
    ['20.19.0', 'ok'],
    ['24.1.0', 'ok'],
  ])('rates Node.js %s as %s', (version, state) => {
    expect(checkNode(version).state).toBe(state);
  });

  it.each([
    [100 * 2 ** 20, 'fail'],
    [2 ** 30, 'warn'],
    [50 * 2 ** 30, 'ok'],
  ])('rates %d free bytes as %s', (free, state) => {
    expect(diskFinding(free).state).toBe(state);
  });

  it.each([
    [{}, 'ok'],
    [SERVER, 'fail'],
    [{ ...SERVER, TRUST_PROXY: '10.0.0.1' }, 'fail'],
    [{ ...SERVER, TRUST_PROXY: '10.0.0.1', PUBLIC_URL: 'https://tickets.example' }, 'ok'],
    [{ ...SERVER, REQUIRE_HTTPS: 'false' }, 'ok'],
  ] as [Environment, string][])('finds HTTPS under %j to be %s', (environment, state) => {
    expect(checkHttps(settings(environment), 0).state).toBe(state);
  });

  it('accepts any answer of the platform', async () => {
    const answers = vi.fn<typeof fetch>().mockResolvedValue(new Response(null, { status: 404 }));
    const PLATFORM_URL = 'https://platform.example';
    expect(await checkPlatform(settings({ PLATFORM_URL }), answers)).toMatchObject({ state: 'ok' });
    expect(answers).toHaveBeenCalledOnce();
    const refuses = vi
      .fn<typeof fetch>()
      .mockRejectedValue(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ENOTFOUND' } }));
    expect(await checkPlatform(settings({ PLATFORM_URL }), refuses)).toMatchObject({
      state: 'fail',
      detail: `${PLATFORM_URL} does not answer (ENOTFOUND)`,
    });
    expect((await checkPlatform(settings({}), answers)).state).toBe('ok');
    expect((await checkPlatform(settings({ ...SERVER, SANDBOX: 'true' }), answers)).state).toBe('warn');
    expect((await checkPlatform(settings(SERVER), answers)).state).toBe('fail');
  });
});
