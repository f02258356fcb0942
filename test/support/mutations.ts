import fc from 'fast-check';

const OF_OTHER_TYPES = [null, true, false, [], {}, [[]], ['x'], { a: { b: { c: 1 } } }];
const NUMBERS = [0, -0, -1, 0.5, 1e-7, 5e-324, 1.005, 2 ** 31, 2 ** 53, 1e21, 1e308];
const TEXTS = ['', ' ', '\0', '\ud800', 'NaN', '1e400', '0x10', '__proto__', 'constructor', '%s%n', "'--"];
const LONG_TEXTS = ['x'.repeat(256), 'x'.repeat(10_000), '☃'.repeat(300)];
const DATES = ['2026-02-30', '0000-00-00', '9999-12-31T23:59:59-23:59'];

/** Values that a field seldom expects: of all types, far too large, and text that cannot be stored. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ noUnicodeString: false }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom<unknown[]>(...OF_OTHER_TYPES, ...NUMBERS, ...TEXTS, ...LONG_TEXTS, ...DATES),
);

type Mutation = Readonly<{ path: string; value: unknown; removed: boolean }>;

/** The body with one to four of its fields changed, removed or moved. */
export function mutated(body: object): fc.Arbitrary<unknown> {
  const mutation: fc.Arbitrary<Mutation> = fc.record({
    path: fc.constantFrom(...pathsOf(body)),
    value: fc.oneof(
      { weight: 4, arbitrary: hostileValue },
      { weight: 1, arbitrary: fc.constantFrom(...leavesOf(body)) },
    ),
    removed: fc.nat(4).map((n) => n === 0),
  });
  return fc.array(mutation, { minLength: 1, maxLength: 4 }).map((mutations) => {
    const copy = structuredClone(body);
    for (const each of mutations) apply(copy, each);
    return copy;
  });
}

/** The text with one to five of its bytes changed, removed or inserted. */
export function damaged(text: string): fc.Arbitrary<Buffer> {
  const damage = fc.record({ at: fc.nat(text.length - 1), byte: fc.nat(255), way: fc.nat(2) });
  return fc.array(damage, { minLength: 1, maxLength: 5 }).map((damages) => {
    let bytes = Buffer.from(text);
    for (const { at, byte, way } of damages) {
      const replacement = way === 0 ? [byte] : way === 1 ? [] : [bytes[at] ?? 0, byte];
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(replacement), bytes.subarray(at + 1)]);
    }
    return bytes;
  });
}

function apply(body: object, { path, value, removed }: Mutation): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let parent: unknown = body;
  for (const key of keys) parent = (parent as Record<string, unknown> | null | undefined)?.[key];
  // An earlier mutation may have removed it.
  if (typeof parent !== 'object' || parent === null) return;
  if (removed) delete (parent as Record<string, unknown>)[last];
  else (parent as Record<string, unknown>)[last] = value;
}

/** The dotted paths of all fields of a body, including objects. */
function pathsOf(body: object, prefix = ''): string[] {
  return Object.entries(body).flatMap(([key, value]: [string, unknown]) => {
    const path = prefix + key;
    return typeof value === 'object' && value !== null ? [path, ...pathsOf(value, `${path}.`)] : [path];
  });
}

function leavesOf(body: object): unknown[] {
  return Object.values(body).flatMap((value: unknown) =>
    typeof value === 'object' && value !== null ? leavesOf(value) : [value],
  );
}
