import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { collectGarbage } from './garbage.js';

it('collects what nobody refers to', async () => {
  const forgotten = new WeakRef({});
  const kept = { of: {} };
  const known = new WeakRef(kept.of);
  // What a WeakRef was made of is kept until the end of the turn.
  await nextTurn();
  collectGarbage();
  expect(forgotten.deref()).toBeUndefined();
  expect(known.deref()).toBe(kept.of);
});
