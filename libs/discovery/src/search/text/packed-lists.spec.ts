import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PackedLists } from './packed-lists.js';

const list = fc.array(fc.nat(9), { maxLength: 2_000 });
const changes = fc.array(fc.record({ slot: fc.nat(5).map((at) => at * 700), list: fc.option(list) }));

test('each slot has the list that was set last', () => {
  fc.assert(
    fc.property(changes, (steps) => {
      const lists = new PackedLists();
      const expected = new Map<number, readonly number[]>();
      for (const { slot, list } of steps) {
        expect(lists.isSame(slot, list ?? [])).toBe(expected.get(slot)?.join() === (list ?? []).join());
        if (list) lists.set(slot, list);
        else lists.delete(slot);
        if (list) expected.set(slot, list);
        else expected.delete(slot);
      }
      for (let at = 0; at <= 6; at++) {
        const slot = at * 700;
        const found = expected.get(slot) ?? [];
        expect(lists.has(slot)).toBe(expected.has(slot));
        expect([...lists.get(slot)]).toEqual(found);
        expect(lists.end(slot) - lists.start(slot)).toBe(found.length);
        expect(found.map((_, step) => lists.at(lists.start(slot) + step))).toEqual(found);
      }
      expect([...lists.get(-1)]).toEqual([]);
    }),
  );
});
