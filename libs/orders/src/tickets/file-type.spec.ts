import { describe, expect, it } from 'vitest';
import { JPEG, PDF, PKPASS, PNG } from '../../../../test/support/orders/ticket-files.js';
import { agrees, fileNameIssue, hasPictureSize, sniffedType } from './file-type.js';

const ends = (content: Buffer) => ({ head: content, tail: content.subarray(-1_024) });

describe('the type of a file', () => {
  it.each([
    [PDF, 'application/pdf'],
    [PNG, 'image/png'],
    [JPEG, 'image/jpeg'],
    [PKPASS, 'application/vnd.apple.pkpass'],
    [Buffer.from('<html>%PDF-1.7 %%EOF'), undefined],
    [Buffer.from('MZ\x90\x00'), undefined],
    [Buffer.from('GIF89a'), undefined],
    [Buffer.alloc(0), undefined],
    // Cut off.
    [PDF.subarray(0, 20), undefined],
    [PNG.subarray(0, -1), undefined],
  ])('follows from its content (%#)', (content, type) => {
    expect(sniffedType(ends(content))).toBe(type);
  });

  it.each([
    ['seat.pdf', 'application/pdf', true],
    ['SEAT.PDF', 'application/octet-stream', true],
    ['seat', 'application/pdf', true],
    ['seat.png', 'application/pdf', false],
    ['seat.pdf', 'image/png', false],
    ['seat.pdf', 'text/html', false],
    ['seat.pdf.exe', 'application/pdf', false],
  ])('agrees with the name %s and the media type %s: %s', (name, mediaType, expected) => {
    expect(agrees('application/pdf', { name, mediaType })).toBe(expected);
  });

  it('is no picture when that would fill the memory of a phone', () => {
    expect([hasPictureSize('image/png', PNG), hasPictureSize('image/jpeg', JPEG)]).toEqual([true, true]);
    const huge = Buffer.from(PNG);
    huge.writeUInt32BE(100_000, 16);
    huge.writeUInt32BE(100_000, 20);
    const tall = Buffer.from(JPEG);
    tall.writeUInt16BE(0xffff, 25);
    tall.writeUInt16BE(0xffff, 27);
    expect([hasPictureSize('image/png', huge), hasPictureSize('image/jpeg', tall)]).toEqual([false, false]);
    expect(hasPictureSize('image/jpeg', JPEG.subarray(0, 12))).toBe(false);
  });
});

it.each([
  '../seat.pdf',
  'a/b.pdf',
  'C:\\seat.pdf',
  '..',
  '',
  'x'.repeat(201),
  'a\nb.pdf',
  'seat\u202efdp.exe',
  '/etc/passwd',
])('the name %j is refused', (name) => {
  expect(fileNameIssue(name)).toMatch(/^must /);
});

it.each(['seat 4.pdf', 'Sitz Ä.pdf', '座席.pdf', '.pdf', 'a..b.pdf'])('the name %j is a plain one', (name) => {
  expect(fileNameIssue(name)).toBeUndefined();
});
