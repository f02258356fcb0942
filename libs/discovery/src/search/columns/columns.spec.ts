import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Column, NULL_VALUE } from './column.js';
import { compareKeys, OrderedSlots } from './ordered-slots.js';
import { Slots } from './slots.js';
import { SortKeys } from './sort-keys.js';
import { radixSort } from './radix-sort.js';
import { SlotsByName } from './slots-by-name.js';
import { sortedWindow } from './window.js';

test('released slots are reused', () => {
  const slots = new Slots();
  expect([slots.claim(70), slots.claim(80), slots.claim(70)]).toEqual([0, 1, 0]);
  slots.release(70);
  expect([slots.find(70), slots.claim(90), slots.claim(100)]).toEqual([undefined, 0, 2]);
  expect([...slots.allIds()].sort((a, b) => a - b)).toEqual([80, 90, 100]);
  slots.release(80);
  expect([...slots.all()]).toEqual([0, 2]);
  for (let id = 1_000; id < 4_000; id++) slots.claim(id);
  expect(slots.ids[slots.find(3_999) ?? 0]).toBe(3_999);
});

test('a name finds the slots that have it now', () => {
  const slots = new SlotsByName();
  slots.set(1, ['mets', 'new york mets']);
  slots.set(2, ['mets']);
  expect([...slots.get('mets')]).toEqual([1, 2]);
  slots.set(1, ['new york mets']);
  expect([...slots.get('mets')]).toEqual([2]);
  expect([...slots.get('new york mets')]).toEqual([1]);
  slots.remove(2);
  slots.remove(2);
  expect([slots.has('mets'), slots.has('new york mets')]).toEqual([false, true]);
  expect([...slots.get('mets')]).toEqual([]);
});

const keys = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(NULL_VALUE));
const changes = fc.array(fc.record({ id: fc.integer({ min: 1, max: 30 }), key: fc.option(keys) }), { maxLength: 80 });

test('an order that is updated change by change equals a fresh sort', () => {
  fc.assert(
    fc.property(changes, (list) => {
      const slots = new Slots();
      const key = Column.ofNumbers();
      const byId = () => radixSort(slots.all(), slots.ids);
      const ordered = new OrderedSlots(slots, key, byId);
      ordered.all();
      for (const { id, key: value } of list) {
        const slot = slots.find(id);
        if (slot !== undefined) ordered.remove(slot);
        if (value === null) slots.release(id);
        else {
          key.set(slots.claim(id), value);
          ordered.insert(slots.claim(id));
        }
      }
      const fresh = new OrderedSlots(slots, key, byId);
      expect([...ordered.all()]).toEqual([...fresh.all()]);
      const values = [...ordered.all()].map((slot) => key.get(slot));
      expect(values).toEqual(values.toSorted(compareKeys));
      for (const bound of [-3, 0, 3]) {
        expect(ordered.countBelow(bound, false)).toBe(values.filter((value) => value < bound).length);
        expect(ordered.countBelow(bound, true)).toBe(values.filter((value) => value <= bound).length);
      }
    }),
  );
});

test('the radix sort equals a comparison sort and is stable', () => {
  const special = [0, -0, 1, -1, 2, 0.1, 1e-320, Infinity, -Infinity, Number.MAX_VALUE, Date.UTC(2026, 10, 21)];
  const list = fc.array(fc.oneof(fc.double(), fc.constantFrom(NULL_VALUE, ...special)), { maxLength: 100 });
  fc.assert(
    fc.property(list, (numbers) => {
      const slots = Uint32Array.from(numbers.keys()).reverse();
      const expected = [...slots].sort((a, b) => compareKeys(numbers[a] ?? 0, numbers[b] ?? 0));
      expect([...radixSort(slots, Float64Array.from(numbers))]).toEqual(expected);
    }),
  );
});

test('a slot that is removed while orders are invalidated is not in them afterwards', () => {
  const slots = new Slots();
  const keys = new SortKeys(slots);
  const put = (id: number) => keys.put(slots.claim(id), { id, score: -id }, { isNew: true, bulk: false });
  for (let id = 1; id <= 6; id++) put(id);
  const idsBy = (field: 'id' | 'score') => Array.from(keys.order(field).all(), (slot) => slots.ids[slot]);
  expect(idsBy('score')).toEqual([6, 5, 4, 3, 2, 1]);
  keys.invalidate();
  for (const id of [2, 5, 6]) {
    keys.remove(slots.find(id) ?? -1);
    slots.release(id);
  }
  put(7);
  expect([idsBy('score'), idsBy('id')]).toEqual([
    [7, 4, 3, 1],
    [1, 3, 4, 7],
  ]);
});

test('a window is a part of the sorted list', () => {
  const list = fc.array(fc.nat(50), { maxLength: 200 });
  fc.assert(
    fc.property(list, fc.nat(210), fc.nat(50), (numbers, from, length) => {
      const compare = (a: number, b: number) => a - b;
      const window = sortedWindow(Uint32Array.from(numbers), from, from + length, compare);
      expect([...window]).toEqual(numbers.toSorted(compare).slice(from, from + length));
    }),
  );
});
