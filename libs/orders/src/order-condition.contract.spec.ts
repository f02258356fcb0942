import { describe, expect, it } from 'vitest';
import { describeIssues } from '#web/issues.contract';
import { OrderSearchRequest } from './order-search.contract.js';

const status = { field: 'status', op: '=', value: 'confirmed' };

function issuesOf(body: unknown): string {
  return describeIssues(OrderSearchRequest.safeParse(body).error?.issues ?? []);
}

function nested(depth: number): unknown {
  return depth === 0 ? status : { not: nested(depth - 1) };
}

describe('a condition on orders', () => {
  it('is read with values of the type of its field', () => {
    const where = {
      and: [
        { or: [status, { field: 'quantity', op: 'in', value: [1] }].slice(0, 1) },
        { not: { field: 'total', op: '>=', value: 254.6 } },
        { field: 'placed_at', op: '<', value: '2026-11-21' },
        { field: 'ref_id', op: 'is_null' },
        { field: 'due_at', op: 'is_null', value: false },
        { field: 'status_code', op: 'in', value: [2000, 2001] },
      ],
    };
    expect(OrderSearchRequest.parse({ where })).toEqual({
      where: {
        and: [
          { or: [status] },
          { not: { field: 'total', op: '>=', value: 25_460 } },
          { field: 'placed_at', op: '<', value: '2026-11-21T00:00:00.000Z' },
          { field: 'ref_id', op: 'is_null', value: true },
          { field: 'due_at', op: 'is_null', value: false },
          { field: 'status_code', op: 'in', value: [2000, 2001] },
        ],
      },
      sort: 'placed_at.desc',
      limit: 50,
    });
  });

  it.each([
    ['<=', '<', '2026-11-22T00:00:00.000Z'],
    ['>', '>=', '2026-11-22T00:00:00.000Z'],
    ['<', '<', '2026-11-21T00:00:00.000Z'],
    ['>=', '>=', '2026-11-21T00:00:00.000Z'],
  ])('takes a day without a time after %s as the whole day', (op, read, value) => {
    const where = { field: 'due_at', op, value: '2026-11-21' };
    expect(OrderSearchRequest.parse({ where }).where).toEqual({ field: 'due_at', op: read, value });
  });

  it.each([
    [{ field: 'colour', op: '=', value: 'red' }, 'where.field'],
    [{ and: [status, { field: 'status', op: '<', value: 'confirmed' }] }, 'where.and[1].op'],
    [{ and: [status, { or: [{ not: { field: 'status', op: '=', value: 'lost' } }] }] }, 'where.and[1].or[0].not.value'],
    [{ field: 'quantity', op: '=', value: '2' }, 'where.value'],
    [{ field: 'quantity', op: '=', value: 1.5 }, 'where.value'],
    [{ field: 'quantity', op: '=', value: null }, 'where.value'],
    [{ field: 'quantity', op: '=' }, 'where.value'],
    [{ field: 'quantity', op: 'in', value: [1] }, 'where.op'],
    [{ field: 'total', op: '=', value: 1.005 }, 'where.value'],
    [{ field: 'total', op: '=', value: 1e300 }, 'where.value'],
    [{ field: 'placed_at', op: '=', value: 'yesterday' }, 'where.value'],
    [{ field: 'placed_at', op: '=', value: '2026-02-30' }, 'where.value'],
    [{ field: 'id', op: 'in', value: ['a', 7] }, 'where.value[1]'],
    [{ field: 'id', op: 'in', value: [] }, 'where.value'],
    [{ field: 'id', op: 'in', value: 'a' }, 'where.value'],
    [{ field: 'id', op: 'starts_with', value: '' }, 'where.value'],
    [{ field: 'id', op: '=', value: 'a\0' }, 'where.value'],
    [{ field: 'id', op: 'is_null', value: 'yes' }, 'where.value'],
    [{ field: 'email', op: '!=', value: 'a@example.com' }, 'where.op'],
    [{ field: 'tag', op: 'is_null' }, 'where.op'],
    [{ field: 'has', op: '=', value: 'money' }, 'where.value'],
    [{ field: 'toString', op: '=', value: 'x' }, 'where.field'],
    [{ ...status, and: [status] }, 'where.field'],
    [{ ...status, colour: 1 }, 'where.colour'],
    [{ and: [] }, 'where.and'],
    [{ or: status }, 'where.or'],
    [{ not: [status] }, 'where.not'],
    [{ and: [null] }, 'where.and[0]'],
    [{}, 'where.field'],
    [[], 'where'],
    ['status', 'where'],
    [nested(6), 'where.not.not.not.not.not.not'],
    [{ or: Array.from({ length: 201 }, () => status) }, 'where.or[199]'],
  ])('that is %j is refused, and the error names %s', (where, path) => {
    expect(issuesOf({ where }).split(': ')[0]).toBe(path);
  });

  it('may be nested 5 deep', () => {
    expect(issuesOf({ where: nested(5) })).toBe('');
  });
});
