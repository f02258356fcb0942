import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';

const document: unknown = JSON.parse(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8'));

/** The values of a keyword, wherever it stands. */
function valuesOf(keyword: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === keyword ? [inner] : []),
    ...valuesOf(keyword, inner),
  ]);
}

const patterns = [...new Set(valuesOf('pattern', document).filter((pattern) => typeof pattern === 'string'))];

/** What at least one of JavaScript (with and without `u`), Java, Python and RE2 does not know, or reads in another way. */
function faultOf(pattern: string): string | undefined {
  const strange = /\\(?:[^dDwWsSnrtx.^$*+?()[\]{}|\\/-]|x(?![0-9a-f]{2}))/.exec(pattern);
  if (strange) return `the escape ${strange[0]}`;
  const classes = pattern.match(/\[(?:\\.|[^\]\\])*\]/g) ?? [];
  if (classes.some((one) => /(?<!\\)\[|&&|--|~~|\|\|/.test(one.slice(1, -1)))) return 'a set in a set';
  const outside = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  if (/\(\?(?!:)/.test(outside)) return 'a look around, a name or a flag';
  if (/[*+?}]\+/.test(outside)) return 'a possessive quantifier';
  if ([...outside.matchAll(/(\d+)\}/g)].some(([, most]) => Number(most) > 1_000)) return 'more than 1000 repetitions';
  return undefined;
}

describe('the patterns of the OpenAPI document', () => {
  it('use only what all engines of regular expressions know', () => {
    expect(patterns.length).toBeGreaterThan(10);
    expect(patterns.map((pattern) => [pattern, faultOf(pattern)]).filter(([, fault]) => fault)).toEqual([]);
  });

  it.each([
    String.raw`\p{L}`,
    String.raw`(?=a)`,
    '(?<!a)',
    '(?<n>a)',
    'a++',
    String.raw`(a)\1`,
    String.raw`\u0041`,
    '(?i)a',
    '[a[b]]',
    'a{2000}',
  ])('would be refused with %s', (pattern) => expect(faultOf(`^${pattern}$`)).toBeDefined());

  it('compile in JavaScript and in RE2', () => {
    for (const pattern of patterns) {
      for (const flags of ['', 'u']) expect(() => new RegExp(pattern, flags), pattern).not.toThrow();
      expect(() => RE2JS.compile(pattern), pattern).not.toThrow();
    }
  });

  it.skipIf(spawnSync('python3', ['--version']).error !== undefined)('compile in Python', () => {
    const program =
      'import json, re, sys, warnings; warnings.simplefilter("error"); [re.compile(p) for p in json.load(sys.stdin)]';
    const { stderr } = spawnSync('python3', ['-c', program], { input: JSON.stringify(patterns), encoding: 'utf8' });
    expect(stderr).toBe('');
  });

  it('leave numbers to what floats can say', () => {
    expect(valuesOf('multipleOf', document).filter((value) => !Number.isInteger(value))).toEqual([]);
  });
});
