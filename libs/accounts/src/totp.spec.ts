import { describe, expect, it } from 'vitest';
import { stepOfCode, totpSetup } from './totp.js';

// RFC 6238, appendix B: the secret, and the codes of SHA-1 cut to six digits.
const SECRET = Buffer.from('12345678901234567890');
const VECTORS: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

describe('the code of an authenticator app', () => {
  it.each(VECTORS)('at second %d is that of RFC 6238', (second, code) => {
    expect(stepOfCode(code, SECRET, second * 1_000, 0)).toBe(Math.floor(second / 30));
  });

  it('is good one step early and one step late, and no longer', () => {
    const good = (second: number) => stepOfCode('005924', SECRET, second * 1_000, 0) !== undefined;
    const begin = Math.floor(1_234_567_890 / 30) * 30;
    expect([begin - 31, begin - 30, begin, begin + 59, begin + 60].map(good)).toEqual([false, true, true, true, false]);
  });

  it('is good once', () => {
    const step = stepOfCode('005924', SECRET, 1_234_567_890_000, 0) ?? 0;
    expect(stepOfCode('005924', SECRET, 1_234_567_890_000, step)).toBeUndefined();
    expect(stepOfCode('005924', SECRET, 1_234_567_890_000, step - 1)).toBe(step);
  });

  it('that is no code at all is wrong', () => {
    for (const code of ['', '1', '0059245', 'abcdef', '005 924', '００５９２４']) {
      expect(stepOfCode(code, SECRET, 1_234_567_890_000, 0), code).toBeUndefined();
    }
  });
});

it('gives an app what it needs', () => {
  const { secret, otpauth_url } = totpSetup(SECRET, 'ada+x@example.com');
  expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const url = new URL(otpauth_url);
  expect(url.href).toContain('otpauth://totp/Willcall:ada%2Bx%40example.com');
  expect(url.searchParams.get('secret')).toBe(secret);
});
