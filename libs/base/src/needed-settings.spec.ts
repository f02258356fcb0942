import { describe, expect, it } from 'vitest';
import { parseSettings, SettingsError, START_NEEDS } from './load-settings.js';
import type { SettingName } from './settings.js';

const key = Buffer.alloc(32, 7).toString('base64');

function errorsOf(
  environment: Record<string, string | undefined>,
  needs: readonly SettingName[] = [],
): readonly string[] {
  try {
    parseSettings(environment, needs);
  } catch (error) {
    if (error instanceof SettingsError) return error.errors;
    throw error;
  }
  return [];
}

describe('the place where pings go', () => {
  const real = { DATABASE_URL: 'postgres://db/willcall' };
  const none = 'PLATFORM_URL: must be set, or SANDBOX=true for the built-in platform, which is for trying out';

  it('has to be said for a real server', () => {
    expect(errorsOf(real, START_NEEDS)).toEqual([none]);
    expect(errorsOf({ ...real, SANDBOX: 'false' }, START_NEEDS)).toEqual([none]);
    expect(errorsOf({ ...real, SANDBOX: 'true' }, START_NEEDS)).toEqual([]);
    expect(errorsOf({ ...real, PLATFORM_URL: 'https://platform.example' }, START_NEEDS)).toEqual([]);
  });

  it('is the sandbox in the embedded default, unless that is switched off', () => {
    expect(errorsOf({}, START_NEEDS)).toEqual([]);
    expect(errorsOf({ SANDBOX: 'false' }, START_NEEDS)).toEqual([none]);
    expect(errorsOf({ SANDBOX: 'false', PLATFORM_URL: 'https://platform.example' }, START_NEEDS)).toEqual([]);
  });

  it('is reached over HTTPS where HTTPS is required', () => {
    const unencrypted =
      'PLATFORM_URL: must begin with https:// where REQUIRE_HTTPS is true, as it is with DATABASE_URL';
    const PLATFORM_URL = 'http://platform.example';
    expect(errorsOf({ ...real, PLATFORM_URL }, START_NEEDS)).toEqual([unencrypted]);
    expect(errorsOf({ REQUIRE_HTTPS: 'true', PLATFORM_URL }, START_NEEDS)).toEqual([unencrypted]);
    expect(errorsOf({ ...real, PLATFORM_URL, REQUIRE_HTTPS: 'false' }, START_NEEDS)).toEqual([]);
    expect(errorsOf({ PLATFORM_URL }, START_NEEDS)).toEqual([]);
  });

  it('is as safe as the place where anchors go', () => {
    const anchors = { LEDGER_ANCHOR_URL: 'http://anchors.example', LEDGER_ANCHOR_SECRET: `whsec_${key}` };
    const unencrypted =
      'LEDGER_ANCHOR_URL: must begin with https:// where REQUIRE_HTTPS is true, as it is with DATABASE_URL';
    expect(errorsOf({ ...real, ...anchors })).toEqual([unencrypted]);
    expect(errorsOf({ ...anchors, REQUIRE_HTTPS: 'true' })).toEqual([unencrypted]);
    expect(errorsOf({ ...real, ...anchors, REQUIRE_HTTPS: 'false' })).toEqual([]);
    expect(errorsOf({ ...real, ...anchors, LEDGER_ANCHOR_URL: 'https://anchors.example/a?b' })).toEqual([]);
  });

  it('matters only to processes that send pings', () => {
    expect(errorsOf({ ...real, PLATFORM_URL: 'http://platform.example' })).toEqual([]);
    expect(errorsOf(real, ['DATABASE_URL'])).toEqual([]);
  });

  it('is not complained about if a value is invalid itself', () => {
    expect(errorsOf({ ...real, SANDBOX: 'yes' }, START_NEEDS)).toEqual(['SANDBOX: must be true or false']);
  });
});
