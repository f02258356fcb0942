import { describe, expect, it } from 'vitest';
import { JPEG, PDF, PKPASS, PNG } from '../../../../test/support/orders/ticket-files.js';
import { jpegIssue, pngIssue } from './picture-file.js';

const fileOf = (content: Buffer) => ({
  size: content.length,
  bytesAt: (at: number, length: number) => Promise.resolve(content.subarray(at, at + length)),
});
const png = (content: Buffer) => pngIssue(fileOf(content));
const jpeg = (content: Buffer) => jpegIssue(fileOf(content));
const withTail = (tail: Buffer | string) => Buffer.concat([PNG, Buffer.from(tail)]);

/** A segment of metadata of any length, in pieces that a JPEG can hold. */
function metadata(bytes: number): Buffer {
  const segments: Buffer[] = [];
  for (let left = bytes; left > 0; left -= 65_533) {
    const length = Math.min(left, 65_533);
    const head = Buffer.from([0xff, 0xe1, 0, 0]);
    head.writeUInt16BE(length + 2, 2);
    segments.push(head, Buffer.alloc(length, 0xff));
  }
  return Buffer.concat(segments);
}

describe('a PNG', () => {
  it.each([
    ['as it should be', PNG],
    ['with a line end after it', withTail('\n')],
    ['with zeros after it', withTail(Buffer.alloc(100_000))],
    ['with the data of a camera after it', withTail(`SEFH${'k'.repeat(70_000)}SEFT`)],
  ])('%s is taken', async (_, content) => expect(await png(content)).toBeUndefined());

  it.each([
    ['an archive', PKPASS],
    ['an archive behind many zeros', Buffer.concat([Buffer.alloc(65_534), PKPASS])],
    ['a PDF', PDF],
    ['a page', '\n<HTML><script>alert(1)</script>'],
    ['a program', '<?php system($_GET[0]);'],
  ])('with %s after it is refused', async (_, tail) => expect(await png(withTail(tail))).toBe('hides another file'));

  it('that is cut off, has no size or too large a one is refused', async () => {
    for (const end of [-1, -12, 40, 20]) expect(await png(PNG.subarray(0, end))).toMatch(/broken/);
    for (const size of [0, 100_000]) {
      const wrong = Buffer.from(PNG);
      wrong.writeUInt32BE(size, 16);
      wrong.writeUInt32BE(100_000, 20);
      expect(await png(wrong)).toMatch(/too large/);
    }
  });
});

describe('a JPEG', () => {
  it.each([10, 256 * 1024, 3_000_000])('is taken with %i bytes of metadata', async (bytes) => {
    const content = Buffer.concat([JPEG.subarray(0, 2), metadata(bytes), JPEG.subarray(2)]);
    expect(await jpeg(content)).toBeUndefined();
  });

  it('is taken with bytes that fill up before a marker', async () => {
    expect(await jpeg(Buffer.concat([JPEG.subarray(0, 2), Buffer.alloc(5, 0xff), JPEG.subarray(2)]))).toBeUndefined();
  });

  it('without a size, with too large a one or one that never comes is refused', async () => {
    const tall = Buffer.from(JPEG);
    tall.writeUInt16BE(0xffff, 25);
    tall.writeUInt16BE(0xffff, 27);
    const empty = Buffer.from(Array.from({ length: 300_000 }, () => [0xff, 0xe1, 0, 2]).flat());
    for (const content of [tall, JPEG.subarray(0, 12), Buffer.concat([JPEG.subarray(0, 2), empty])]) {
      expect(await jpeg(content)).toMatch(/broken/);
    }
  });
});
