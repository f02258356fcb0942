import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { optionalGaps } from '../tools/check-lock.mjs';

describe('the lock file', () => {
  it('has the binaries of every platform', () => {
    const lock = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
    const { packages } = JSON.parse(lock) as { packages: Parameters<typeof optionalGaps>[0] };
    expect(Object.keys(packages).length).toBeGreaterThan(100);
    expect(optionalGaps(packages)).toEqual([]);
  });

  it('fails the check if one is missing', () => {
    const optionalDependencies = { '@swc/core-linux-x64-gnu': '1.0.0', '@swc/core-darwin-arm64': '1.0.0' };
    const packages = {
      '': {},
      'node_modules/@swc/core': { version: '1.0.0', optionalDependencies },
      'node_modules/@swc/core-linux-x64-gnu': { version: '1.0.0' },
    };
    expect(optionalGaps(packages)).toEqual(['@swc/core@1.0.0 lacks @swc/core-darwin-arm64']);
  });

  it('may have them beside their package or in any folder above', () => {
    const tool = { version: '2.0.0', optionalDependencies: { inner: '1', middle: '1', outer: '1' } };
    const packages = {
      'node_modules/a/node_modules/tool': tool,
      'node_modules/a/node_modules/tool/node_modules/inner': {},
      'node_modules/a/node_modules/middle': {},
      'node_modules/outer': {},
    };
    expect(optionalGaps(packages)).toEqual([]);
  });
});
