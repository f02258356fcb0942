import { once } from 'node:events';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gunzipSync, createGzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { TurnQueue } from '#base/turn-queue';
import { AnswerSlices } from './answer-slices.js';

const DOCUMENT = Buffer.alloc(5_000, 'd');
const PARTS: readonly (string | Buffer)[] = [
  '{"meta":',
  ...Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? DOCUMENT : `ünïcode ${'é'.repeat(3_000)} ${at}`)),
  Buffer.alloc(200_000, 'b'),
  'ä'.repeat(90_000),
  '',
  '}',
];
const WHOLE = Buffer.concat(PARTS.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));

type Write = Readonly<{ chunk: Buffer; taken: (error?: Error) => void }>;

/** Takes a chunk only when the test says so, and keeps no copy of it until then. */
class SlowReader extends Writable {
  readonly writes: Write[] = [];
  readonly received: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, callback: (error?: Error) => void): void {
    const taken = (error?: Error) => {
      this.received.push(Buffer.from(chunk));
      callback(error);
    };
    this.writes.push({ chunk, taken });
  }
}

const slicesOf = (parts: Iterable<string | Buffer>) => new AnswerSlices(parts, new TurnQueue());
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('AnswerSlices', () => {
  it('gives a slow reader every byte, one slice after another in the same memory', async () => {
    const reader = new SlowReader();
    const slices = slicesOf(PARTS);
    const ended = Promise.all([once(reader, 'finish'), once(slices, 'end')]);
    slices.pipe(reader);
    let isOver = false;
    void ended.then(() => (isOver = true));
    for (let taken = 0; !isOver;) {
      await turn();
      await turn();
      expect(reader.writes.length).toBeLessThanOrEqual(taken + 1);
      if (reader.writes.length > taken) reader.writes[taken++]?.taken();
    }
    expect(Buffer.concat(reader.received).equals(WHOLE)).toBe(true);
    expect(new Set(reader.writes.map(({ chunk }) => chunk.buffer)).size).toBe(1);
    expect(Math.max(...reader.received.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
  });

  it('can be compressed on the way', async () => {
    const received: Buffer[] = [];
    await pipeline(slicesOf(PARTS), createGzip(), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) received.push(chunk);
    });
    expect(gunzipSync(Buffer.concat(received)).equals(WHOLE)).toBe(true);
  });

  it('makes nothing more once it is destroyed', async () => {
    let made = 0;
    const endless = function* () {
      for (;;) {
        made += 1;
        yield DOCUMENT;
      }
    };
    const reader = new SlowReader();
    const slices = slicesOf(endless());
    slices.pipe(reader);
    while (reader.writes.length === 0) await turn();
    const before = made;
    slices.destroy();
    reader.writes[0]?.taken();
    for (const _ of [1, 2, 3]) await turn();
    expect([made, reader.writes.length]).toEqual([before, 1]);
  });

  it('ends with the error of a part', async () => {
    const broken = function* () {
      yield 'begun';
      throw new Error('cannot be rendered');
    };
    const slices = slicesOf(broken());
    const failed = once(slices, 'error');
    slices.pipe(new SlowReader());
    expect(await failed).toEqual([new Error('cannot be rendered')]);
  });
});
