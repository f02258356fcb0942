import { describe, expect, it } from 'vitest';
import { JPEG, PDF, PKPASS, PNG } from '../../../../test/support/orders/ticket-files.js';
import { agrees, fileNameIssue, sniffedType } from './file-type.js';

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

  it.each([
    'image/jpeg',
    'image/jpg',
    'image/pjpeg',
    'IMAGE/JPG; charset=binary',
    'application/octet-stream',
    'binary/octet-stream',
    'application/x-download',
    // A part that says nothing.
    'text/plain',
    '',
  ])('is no matter of how a program calls it: a JPEG as %j', (mediaType) => {
    expect(agrees('image/jpeg', { name: 'seat.jpg', mediaType })).toBe(true);
  });

  it.each(['application/pdf', 'image/png', 'image/svg+xml', 'text/html', 'application/javascript', 'image/jpegs'])(
    'is not what contradicts it: a JPEG as %j',
    (mediaType) => expect(agrees('image/jpeg', { name: 'seat.jpg', mediaType })).toBe(false),
  );

  it.each(['application/x-pdf', 'application/acrobat', 'text/pdf'])('is a PDF as %j too', (mediaType) => {
    expect(agrees('application/pdf', { name: 'seat', mediaType })).toBe(true);
  });

  it.each(['Sec. 104 Row 5', '7:30pm.pdf', '7:30pm', 'St.Louis', 'Sec.104', 'Mr. Ng', 'v2.0 final', 'seat.', '.pdf'])(
    'is not contradicted by the name %j',
    (name) => {
      expect(agrees('application/pdf', { name, mediaType: '' })).toBe(true);
      expect(fileNameIssue(name)).toBeUndefined();
    },
  );

  it.each(['seat.exe', 'seat.pdf.exe', 'seat.HTML', 'seat.exe. . ', 'seat.pdf:run.cmd', 'a.jpg', 'a.pkpass', 'a.svg'])(
    'is contradicted by the name %j',
    (name) => expect(agrees('application/pdf', { name, mediaType: '' })).toBe(false),
  );
});

it.each([
  '../seat.pdf',
  'a/b.pdf',
  'C:\\seat.pdf',
  'C:seat.pdf',
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
