import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeIssues } from './issues.contract.js';

const schema = z.strictObject({ price: z.number(), seats: z.array(z.string()), more: z.array(z.int()).optional() });

function described(value: unknown): string {
  const { error } = schema.safeParse(value);
  return describeIssues(error?.issues ?? []);
}

describe('describeIssues', () => {
  it('names each field and what is wrong with it, but no value', () => {
    const text = described({ price: '4111111111111111', seats: [5], colour: 'red' });
    expect(text).toBe('price: must be a number; seats.0: must be a text; "colour" is not known here');
    expect(text).not.toContain('4111');
    expect(text).not.toContain('red');
  });

  it('is short for any input', () => {
    const many = Array.from({ length: 5_000 }, () => 'x');
    const text = described({ ['k'.repeat(60_000)]: 1, price: 1, seats: [], more: many });
    expect(text.length).toBeLessThan(5_000);
    expect(text).toContain('more.0: ');
    expect(text).toMatch(/and 4981 more$/);
  });
});
