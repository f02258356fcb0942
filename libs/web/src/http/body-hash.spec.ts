import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyHash } from './body-hash.js';

const bytes = fc.uint8Array({ maxLength: 60 });

function hashOf(contentType: string, body: Uint8Array, size = body.length || 1): string {
  const hash = bodyHash(contentType);
  for (let at = 0; at < body.length; at += size) hash.update(body.subarray(at, at + size));
  return hash.digest();
}

function multipart(boundary: string, parts: readonly Uint8Array[]): Buffer {
  const head = 'Content-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
  const written = parts.flatMap((part, index) => [`${index === 0 ? '' : '\r\n'}--${boundary}\r\n${head}`, part]);
  return Buffer.concat([...written, `\r\n--${boundary}--\r\n`].map((part) => Buffer.from(part)));
}

const ofParts = (boundary: string, parts: readonly Uint8Array[], size?: number) =>
  hashOf(`multipart/form-data; boundary=${boundary}`, multipart(boundary, parts), size);

describe('the hash of a body', () => {
  it('is of its bytes, however they arrive', () => {
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 20 }), (body, size) => {
        expect(hashOf('text/csv', body, size)).toBe(hashOf('text/csv', body));
      }),
    );
    expect(hashOf('text/csv', Buffer.from('a,b'))).not.toBe(hashOf('text/csv', Buffer.from('a,c')));
  });

  it('of several parts does not depend on their boundary', () => {
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 4 }), fc.integer({ min: 1, max: 90 }), (parts, size) => {
        expect(ofParts('----formdata-undici-0123', parts, size)).toBe(ofParts('"another one"'.slice(1, 8), parts));
      }),
    );
  });

  it('tells parts apart, and where one ends', () => {
    const [a, b, ab, none] = ['a', 'b', 'ab', ''].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer, Buffer];
    const different = [[a, b], [b, a], [ab], [ab, none], [none, ab], [a], [], [a, b, none]];
    expect(new Set(different.map((parts) => ofParts('x', parts))).size).toBe(different.length);
  });

  it('takes a boundary in quotes', () => {
    const body = multipart('a b', [Buffer.from('1')]);
    expect(hashOf('multipart/form-data; boundary="a b"', body)).toBe(ofParts('zz', [Buffer.from('1')]));
  });
});
