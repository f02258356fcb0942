import { Writable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { LiveReader, LiveReaders } from './live-readers.js';
import type { StreamedPing } from './ping-stream-reader.js';
import type { Batch } from './ping-tail.js';
import type { StreamFilter } from './stream-filter.js';

/** Keeps what is written to it, and drains only while it is quick. */
class Sink extends Writable {
  readonly chunks: Buffer[] = [];
  quick = true;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    if (this.quick) done();
  }

  get text(): string {
    return this.chunks.join('');
  }
}

function entryAt(position: number): StreamedPing {
  const keys = { status: position % 2 ? 'pending' : 'confirmed', status_code: 1, event_id: 'e', listing_id: 'l' };
  return { position, json: `{"position":${position}}`, ...keys, client_id: 'c' };
}

function batch(after: number, ...positions: number[]): Batch {
  return { after, upTo: positions.at(-1) ?? after, entries: positions.map(entryAt) };
}

const frame = (position: number) => `id: ${position}\ndata: {"position":${position}}\n\n`;

let readers: LiveReaders;
beforeEach(() => {
  readers = new LiveReaders();
});

function add(filter: StreamFilter = {}, position = 10, missing = batch(position)): { sink: Sink; reader: LiveReader } {
  const sink = new Sink();
  const reader = new LiveReader(sink, filter, undefined, position);
  readers.add(reader, missing);
  return { sink, reader };
}

describe('live readers', () => {
  it('get the missed entries and then new ones, serialized once per filter', () => {
    const all = [add(), add({}, 10, batch(10, 11, 12))];
    const some = add({ status: ['confirmed'] });
    readers.publish(batch(12, 13, 14));
    expect(all.map(({ sink }) => sink.text)).toEqual([frame(13) + frame(14), [11, 12, 13, 14].map(frame).join('')]);
    expect(some.sink.text).toBe(frame(14));
    expect(all[0]!.sink.chunks[0]).toBe(all[1]!.sink.chunks[1]);
  });

  it('that are ahead of a batch get the rest of it', () => {
    const { sink } = add({}, 13);
    readers.publish(batch(10, 11, 12));
    readers.publish(batch(12, 13, 14));
    expect(sink.text).toBe(frame(14));
  });

  it('get a heartbeat, with a position if a filter may have left out entries', () => {
    const [all, some, ahead] = [add(), add({ status: ['confirmed'] }), add({ status: ['confirmed'] }, 99)];
    readers.publish(batch(10, 11));
    readers.heartbeat(11);
    expect(all.sink.text).toBe(`${frame(11)}: heartbeat\n\n`);
    expect(some.sink.text).toBe(': heartbeat\nid: 11\n\n');
    expect(ahead.sink.text).toBe(': heartbeat\n\n');
  });

  it('that do not read are disconnected once 256 KiB wait for them', () => {
    const [slow, quick] = [add(), add()];
    slow.sink.quick = false;
    const publish = (after: number): void => {
      const [entry] = batch(after, after + 1).entries;
      readers.publish({ after, upTo: after + 1, entries: [{ ...entry!, json: 'x'.repeat(200_000) }] });
    };
    publish(10);
    publish(11);
    expect([slow.sink.destroyed, readers.droppedCount]).toEqual([false, 0]);
    publish(12);
    expect([slow.sink.destroyed, quick.sink.destroyed, readers.droppedCount]).toEqual([true, false, 1]);
  });

  it('that have left get nothing', () => {
    const { sink, reader } = add();
    readers.remove(reader);
    readers.remove(reader);
    readers.publish(batch(10, 11));
    expect([sink.text, readers.count, readers.all()]).toEqual(['', 0, []]);
  });
});
