import { describe, expect, it } from 'vitest';
import type { MacroStep } from '#desk/macro.contract';
import { areMinutes, stepsOf, typedOf } from './typed-macro.js';

const STEPS: readonly MacroStep[] = [
  { type: 'assign_me' },
  { type: 'note', text: 'Called.', visibility: 'partner' },
  { type: 'tag', add: ['a', 'b'], remove: ['c'] },
  { type: 'snooze', minutes: 90 },
  { type: 'mail', kind: 'tickets' },
];

describe('a macro in its form', () => {
  it('is the same when nothing is typed, in the order that it had', () => {
    expect(stepsOf(typedOf({ id: 'mac_1', name: 'x', steps: [...STEPS] }), STEPS)).toEqual(STEPS);
  });

  it('that is new begins with what can be refused', () => {
    const typed = typedOf({ id: 'mac_1', name: 'x', steps: [...STEPS] });
    expect(stepsOf(typed, []).map(({ type }) => type)).toEqual(['mail', 'snooze', 'tag', 'note', 'assign_me']);
  });

  it('has no step of what is empty', () => {
    expect(stepsOf(typedOf(undefined), [])).toEqual([]);
    expect(stepsOf({ ...typedOf(undefined), tags: { add: ' , x', remove: '' }, note: '  ' }, [])).toEqual([
      { type: 'tag', add: ['x'] },
    ]);
  });

  it.each([
    ['1', true],
    ['525600', true],
    ['525601', false],
    ['0', false],
    ['1.5', false],
    ['', false],
  ])('takes %j as minutes: %s', (text, expected) => {
    expect(areMinutes(text)).toBe(expected);
  });
});
