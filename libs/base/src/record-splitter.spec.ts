import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordSplitter, type TextRecord } from './record-splitter.js';

function split(chunks: (string | Uint8Array)[], maxRecordBytes = 100): TextRecord[] {
  const splitter = new RecordSplitter({ maxRecordBytes });
  const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
  return [...bytes.flatMap((chunk) => Array.from(splitter.split(chunk))), ...splitter.end()];
}

describe('RecordSplitter', () => {
  it('returns each line with its number, without blank lines', () => {
    expect(split(['a\nb\r\n\n  \rc'])).toEqual([
      { line: 1, text: 'a' },
      { line: 2, text: 'b' },
      { line: 5, text: 'c' },
    ]);
  });

  it('removes a byte order mark at the very beginning', () => {
    expect(split(['\uFEFFa\n\uFEFFb'])).toEqual([
      { line: 1, text: 'a' },
      { line: 2, text: '\uFEFFb' },
    ]);
  });

  it('reports bytes that are not UTF-8 and continues', () => {
    const bytes = Buffer.concat([Buffer.from('ok\n'), Buffer.from([0xc3, 0x28, 0x0a]), Buffer.from('fine')]);
    expect(split([bytes])).toEqual([
      { line: 1, text: 'ok' },
      { line: 2, error: 'is not UTF-8' },
      { line: 3, text: 'fine' },
    ]);
  });

  it('rejects a line that is too long and continues with the next', () => {
    expect(split(['a\n', 'x'.repeat(60), 'x'.repeat(60), 'x\nb'])).toEqual([
      { line: 1, text: 'a' },
      { line: 2, error: 'is longer than 100 bytes' },
      { line: 3, text: 'b' },
    ]);
  });

  it('buffers at most one record while an endless line arrives', () => {
    const splitter = new RecordSplitter({ maxRecordBytes: 1024 });
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 300; count += 1) expect(splitter.split(Buffer.from(chunk)).next().done).toBe(true);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150 * 1024 * 1024);
  });

  it('returns the same records however the bytes are split', () => {
    const piece = fc.constantFrom('a', 'é', '🎟', ',', '"', '""', '\n', '\r\n', '\r', ' ', '\uFEFF', 'long'.repeat(30));
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(40)), (pieces, cuts) => {
        const bytes = Buffer.from(pieces.join(''));
        const chunks: Uint8Array[] = [];
        let from = 0;
        for (const cut of cuts) {
          chunks.push(bytes.subarray(from, from + cut));
          from += cut;
        }
        chunks.push(bytes.subarray(from));
        expect(split(chunks)).toEqual(split([bytes]));
      }),
      { numRuns: 500 },
    );
  });
});
