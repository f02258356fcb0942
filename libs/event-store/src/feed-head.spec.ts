import { expect, it } from 'vitest';
import { EMPTY_FEED, type FeedEntry, headAfter } from './feed-head.js';

const entry = (changed: Partial<FeedEntry> = {}): FeedEntry => {
  const hash = Buffer.alloc(37, 1);
  return { position: 1, stream: 'order-1', stream_position: 1, hash, recorded_at: new Date(0), ...changed };
};

it('the head of the feed covers the event, its place and everything before', () => {
  const before = headAfter(EMPTY_FEED, entry());
  const heads = [
    before,
    headAfter(before, entry()),
    headAfter(EMPTY_FEED, entry({ position: 2 })),
    headAfter(EMPTY_FEED, entry({ stream: 'order-2' })),
    headAfter(EMPTY_FEED, entry({ stream_position: 2 })),
    headAfter(EMPTY_FEED, entry({ hash: Buffer.alloc(37, 2) })),
    headAfter(EMPTY_FEED, entry({ hash: null })),
  ];
  expect(new Set(heads.map(({ head }) => head.toString('hex'))).size).toBe(heads.length);
  expect(headAfter(EMPTY_FEED, entry({ recorded_at: null }))).toEqual(before);
});
