import { expect, it } from 'vitest';
import type { TimelineEntry } from '#desk/timeline.contract';
import { folded } from './timeline-entries.js';

const entry = (kind: TimelineEntry['kind'], title: string, pingId?: string): TimelineEntry => ({
  at: '2026-11-22T15:00:00.000Z',
  kind,
  actor: 'system',
  actor_name: null,
  title,
  detail: pingId === undefined ? {} : { ping_id: pingId },
  transaction_id: null,
});

it('puts the attempts of each ping under it, oldest first, and leaves everything else where it is', () => {
  const entries = [
    entry('event', 'Confirmed'),
    entry('ping', 'first ping', 'png_1'),
    entry('ping_attempt', 'first delivered', 'png_1'),
    entry('ping', 'second ping', 'png_2'),
    entry('ping', 'Ping sent again'),
    entry('ping_attempt', 'second delivered', 'png_2'),
    entry('ping_attempt', 'first failed', 'png_1'),
    entry('ping_attempt', 'of a ping on another page', 'png_0'),
    entry('note', 'a note'),
  ];
  const shown = folded(entries).map(({ entry: { title }, attempts }) => [title, attempts.map((one) => one.title)]);
  expect(shown).toEqual([
    ['Confirmed', []],
    ['first ping', ['first failed', 'first delivered']],
    ['second ping', ['second delivered']],
    ['Ping sent again', []],
    ['of a ping on another page', []],
    ['a note', []],
  ]);
});
