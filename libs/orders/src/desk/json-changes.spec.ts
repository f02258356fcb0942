import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonChanges } from './json-changes.js';

describe('changes of a document', () => {
  it('name the smallest parts that differ', () => {
    const before = { status: { status_code: 2000, status: 'confirmed' }, fulfillment: null, list: [1], same: [{}] };
    const after = {
      status: { status_code: 2002, status: 'confirmed' },
      fulfillment: { type: 'ship' },
      list: [1, 2],
      same: [{}],
    };
    expect(jsonChanges(before, after)).toEqual([
      { path: '/status/status_code', before: 2000, after: 2002 },
      { path: '/fulfillment', before: null, after: { type: 'ship' } },
      { path: '/list/1', before: null, after: 2 },
    ]);
  });

  it('escape the names in a path', () => {
    expect(jsonChanges({ 'a/b~c': 1 }, { 'a/b~c': 2 })).toEqual([{ path: '/a~1b~0c', before: 1, after: 2 }]);
  });

  it('make the second document of the first', () => {
    // The documents of an order have the same names, and lists only grow.
    const document = fc.record({
      a: fc.oneof(fc.constant(null), fc.record({ b: fc.integer(), '~/': fc.string() })),
      c: fc.oneof(fc.integer(), fc.array(fc.record({ d: fc.boolean() }))),
    });
    fc.assert(
      fc.property(document, document, (before, after) => {
        const isShorter = Array.isArray(before.c) && Array.isArray(after.c) && after.c.length < before.c.length;
        fc.pre(!isShorter);
        expect(applied(before, jsonChanges(before, after))).toEqual(after);
      }),
    );
  });
});

type Container = Record<string, unknown>;

function applied(document: object, changes: ReturnType<typeof jsonChanges>): unknown {
  const copy = structuredClone(document) as Container;
  for (const { path, after } of changes) {
    const names = path
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = names.pop() ?? '';
    const parent = names.reduce((container, name) => container[name] as Container, copy);
    parent[last] = after;
  }
  return copy;
}
