import { expect, it } from 'vitest';
import { z } from 'zod';
import { speakPlainly } from './plain-issues.js';

speakPlainly();

const schema = z.strictObject({
  price: z.number().min(0).multipleOf(0.01),
  quantity: z.int().max(10),
  name: z.string().min(1).max(3),
  kind: z.enum(['a', 'b']),
  one: z.literal('x'),
  seats: z.array(z.string()).min(2),
  email: z.email(),
  at: z.iso.datetime(),
  rule: z.union([z.enum(['any', 'all']), z.object({ multiples_of: z.int() })]),
  what: z.discriminatedUnion('type', [z.object({ type: z.literal('ship') })]),
});
const GOOD = {
  price: 1,
  quantity: 1,
  name: 'abc',
  kind: 'a',
  one: 'x',
  seats: ['1', '2'],
  email: 'ada@example.com',
  at: '2030-01-31T09:00:00Z',
  rule: 'any',
  what: { type: 'ship' },
};

it.each<[object, string, string]>([
  [{ price: undefined }, 'price', 'is missing'],
  [{ price: '4111111111111111' }, 'price', 'must be a number'],
  [{ price: -1 }, 'price', 'must be at least 0'],
  [{ price: 0.001 }, 'price', 'must have at most two decimals'],
  [{ quantity: 11 }, 'quantity', 'must be at most 10'],
  [{ quantity: 1.5 }, 'quantity', 'must be a whole number'],
  [{ name: '' }, 'name', 'must not be empty'],
  [{ name: 'abcd' }, 'name', 'must have at most 3 characters'],
  [{ kind: 'c' }, 'kind', 'must be one of a, b'],
  [{ one: 'y' }, 'one', 'must be x'],
  [{ seats: ['1'] }, 'seats', 'must have at least 2 entries'],
  [{ email: 'ada' }, 'email', 'must be an e-mail address'],
  [{ at: 'noon' }, 'at', 'must be a time such as 2030-01-31T09:00:00Z'],
  [{ rule: 'some' }, 'rule', 'must be one of any, all, or must be an object'],
  [{ what: { type: 'fly' } }, 'what', 'must have a known type'],
  [{ colour: 'red' }, '', '"colour" is not known here'],
])('%o is refused in plain words', (change, field, text) => {
  const [issue] = schema.safeParse({ ...GOOD, ...change }).error?.issues ?? [];
  expect([issue?.path[0] ?? '', issue?.message]).toEqual([field, text]);
});
