/** A JSON Schema, as far as zod writes it. */
export type Schema = Readonly<{
  $ref?: string;
  type?: string | readonly string[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
}> &
  Partial<Readonly<Record<Limit, number>>>;

export type Schemas = Readonly<Record<string, Schema>>;

/** A request may accept more than before, an answer may promise more. */
export type Use = 'request' | 'answer';

const LOWER_LIMITS = ['minimum', 'minLength', 'minItems'] as const;
const UPPER_LIMITS = ['maximum', 'maxLength', 'maxItems'] as const;
type Limit = (typeof LOWER_LIMITS)[number] | (typeof UPPER_LIMITS)[number];

/** Each whole number is a number. */
const WITHIN: Readonly<Record<string, string>> = { number: 'integer' };

type Side = readonly [Schema, Schemas];

/** What a caller who knows only the schema `before` cannot send any more, or does not understand. */
export function breaksOfSchema(name: string, use: Use, before: Side, after: Side): readonly string[] {
  return new Comparison(use, before[1], after[1]).breaks(name, before[0], after[0]);
}

class Comparison {
  /** By pair of named schemas. One that contains itself is in here without breaks while it is compared. */
  readonly #known = new Map<string, readonly string[]>();

  constructor(
    private readonly use: Use,
    private readonly old: Schemas,
    private readonly now: Schemas,
  ) {}

  breaks(name: string, before: Schema, after: Schema): readonly string[] {
    if (before.$ref === undefined || after.$ref === undefined) return this.#ofSchemas(name, before, after);
    const pair = `${before.$ref} ${after.$ref}`;
    const known = this.#known.get(pair);
    if (known) return known;
    this.#known.set(pair, []);
    const found = this.#ofSchemas(`${nameOf(before.$ref)} (${this.use})`, before, after);
    this.#known.set(pair, found);
    return found;
  }

  #ofSchemas(name: string, before: Schema, after: Schema): string[] {
    const [old, now] = [alternatives(before, this.old), alternatives(after, this.now)];
    // Each form that callers send must still be taken, and they must know each form that they get.
    const pairs =
      this.use === 'request'
        ? old.map((form) => now.map((other): [Schema, Schema] => [form, other]))
        : now.map((form) => old.map((other): [Schema, Schema] => [other, form]));
    return pairs.flatMap((candidates) => this.#least(name, candidates));
  }

  /** The breaks of the form that fits best. */
  #least(name: string, candidates: readonly [Schema, Schema][]): string[] {
    const found = candidates.map(([before, after]) => this.#ofForms(name, before, after));
    return found.sort((a, b) => a.length - b.length)[0] ?? [];
  }

  #ofForms(name: string, before: Schema, after: Schema): string[] {
    // What is written must be among what is read.
    const [written, read] = this.use === 'request' ? [before, after] : [after, before];
    const fits = read.type === undefined || [read.type, WITHIN[String(read.type)]].includes(written.type);
    if (!fits) return [`${name} was ${describe(before)} and is ${describe(after)}`];
    return [
      ...this.#ofValues(name, before, after),
      ...this.#ofProperties(name, before, after),
      ...(before.items && after.items ? this.breaks(`${name}[]`, before.items, after.items) : []),
      ...(isSchema(before.additionalProperties) && isSchema(after.additionalProperties)
        ? this.breaks(`${name}.*`, before.additionalProperties, after.additionalProperties)
        : []),
    ];
  }

  /** New values in answers are no break: callers must expect them. */
  #ofValues(name: string, before: Schema, after: Schema): string[] {
    if (this.use === 'answer') return [];
    const [old, now] = [valuesOf(before), valuesOf(after)];
    const gone = now && (old?.filter((value) => !now.includes(value)) ?? ['another text']);
    const lower = LOWER_LIMITS.filter((limit) => (after[limit] ?? -Infinity) > (before[limit] ?? -Infinity));
    const upper = UPPER_LIMITS.filter((limit) => (after[limit] ?? Infinity) < (before[limit] ?? Infinity));
    return [
      ...(gone ?? []).map((value) => `${name} may not be ${String(value)} any more`),
      ...[...lower, ...upper].map((limit) => `${name} has a narrower ${limit}: ${after[limit]}`),
    ];
  }

  #ofProperties(name: string, before: Schema, after: Schema): string[] {
    const { properties: old = {}, required: oldRequired = [] } = before;
    const { properties: now = {}, required: nowRequired = [] } = after;
    const known = Object.keys(old);
    const gone = known.filter((key) => !(key in now)).map((key) => `${name}.${key} is gone`);
    const needed = nowRequired.filter((key) => !oldRequired.includes(key)).map((key) => `${name}.${key} is required`);
    const missing = oldRequired
      .filter((key) => key in now && !nowRequired.includes(key))
      .map((key) => `${name}.${key} may be missing`);
    return [
      ...gone,
      ...(this.use === 'request' ? needed : missing),
      ...known.flatMap((key) => (old[key] && now[key] ? this.breaks(`${name}.${key}`, old[key], now[key]) : [])),
    ];
  }
}

/** The forms that a value may have, each with one type at most. */
function alternatives(schema: Schema, schemas: Schemas): Schema[] {
  if (schema.$ref !== undefined) return alternatives(schemas[nameOf(schema.$ref)] ?? {}, schemas);
  const { anyOf, oneOf, type, ...rest } = schema;
  const options = anyOf ?? oneOf;
  if (options) return options.flatMap((option) => alternatives(option, schemas));
  return [type].flat().map((one) => ({ ...rest, ...(typeof one === 'string' && { type: one }) }));
}

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ref;
const valuesOf = (schema: Schema) => schema.enum ?? ('const' in schema ? [schema.const] : undefined);
const describe = ({ type = 'any value' }: Schema): string => String(type);
const isSchema = (value: unknown): value is Schema => typeof value === 'object';
