import { describe, expect, it } from 'vitest';
import { UnreadableFile, utf8Chunks } from './utf8-chunks.js';

async function textOf(bytes: Uint8Array, size = 7): Promise<string> {
  async function* chunks() {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
  }
  const parts: Uint8Array[] = [];
  for await (const part of utf8Chunks(chunks())) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

const TEXT = `id;Größe 🎟;票\n${'1;2;3\n'.repeat(300)}`;
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('utf8Chunks', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-16 with a mark', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
    ['UTF-16, big end first, with a mark', bigEndian(`\uFEFF${TEXT}`)],
  ])('reads %s', async (_, bytes) => {
    for (const size of [1, 7, 511, 10_000]) expect(await textOf(bytes, size)).toBe(TEXT);
    expect(await textOf(bytes.subarray(0, 60))).toMatch(/^id;Größe 🎟;票\n/);
  });

  it.each([
    ['is UTF-16 without a mark', Buffer.from(TEXT, 'utf16le')],
    ['is UTF-16 without a mark', bigEndian('id,a\n')],
    ['is an Excel workbook or a ZIP archive', Buffer.from('PK\x03\x04rest')],
    ['is an Excel workbook:', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['is compressed with gzip', Buffer.from('1f8b0800', 'hex')],
    ['is a PDF', Buffer.from('%PDF-1.7')],
    ['is UTF-32', Buffer.from('fffe000061000000', 'hex')],
  ])('says that a file %s', async (message, bytes) => {
    await expect(textOf(bytes)).rejects.toThrow(UnreadableFile);
    await expect(textOf(bytes)).rejects.toThrow(message);
  });

  it('leaves other bytes to the reader of the lines', async () => {
    const parts: Uint8Array[] = [];
    const garbage = Buffer.from([0xff, 0xfe, 0x0a, 0x78, 0x78, 0x0a]);
    for await (const part of utf8Chunks(
      (async function* () {
        yield garbage;
      })(),
    ))
      parts.push(part);
    expect(Buffer.concat(parts)).toEqual(garbage);
  });
});
