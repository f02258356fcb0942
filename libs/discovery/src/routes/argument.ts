import type { ApiQueryOptions } from '@nestjs/swagger';
import type { ArgumentReader } from './argument-reader.js';

/** The OpenAPI parameter of an argument. */
export type Parameter = ApiQueryOptions & { name: string };

/** How one argument, or a group of them, is read and documented. `read` reports issues to the reader. */
export type Argument<T> = Readonly<{ parameters: readonly Parameter[]; read: (args: ArgumentReader) => T }>;

type Shape = Readonly<Record<string, Argument<unknown>>>;
type Values<S extends Shape> = { readonly [Key in keyof S]: S[Key] extends Argument<infer T> ? T : never };

/** The description of an argument that may be repeated. */
export const orRepeated = (what: string): string => `${what}; repeated or separated by commas: any of them`;

/** An argument. `more` holds further fields of its OpenAPI parameter. */
export function argument<T>(
  name: string,
  description: string,
  read: (args: ArgumentReader, name: string) => T,
  more: object = {},
): Argument<T> {
  return { parameters: [{ name, description, ...more }], read: (args) => read(args, name) };
}

/** Ids; each is an alternative. */
export function ids(name: string, what: string): Argument<readonly number[] | undefined> {
  return argument(name, orRepeated(what), (args) => args.ids(name));
}

/** Texts as sent; each is an alternative. */
export function list(name: string, description: string): Argument<readonly string[] | undefined> {
  return argument(name, description, (args) => args.list(name));
}

/** Texts in lower case; each is an alternative. */
export function words(name: string, description: string): Argument<readonly string[] | undefined> {
  return argument(name, description, (args) => args.list(name)?.map((word) => word.toLowerCase()));
}

/** One text of at most `longest` characters. The reader's own limit applies by default. */
export function text(name: string, description: string, longest?: number): Argument<string | undefined> {
  return argument(name, description, (args) => args.text(name, longest));
}

/** `enum` and `schema` go into the OpenAPI parameter. */
type ParsedAs<T> = Readonly<{
  expected: string;
  parse: (text: string) => T | undefined;
  enum?: readonly string[];
  schema?: object;
}>;

/** One value. If `parse` returns undefined, the error says that the argument must be `expected`. */
export function value<T>(
  name: string,
  description: string,
  { expected, parse, ...more }: ParsedAs<T>,
): Argument<T | undefined> {
  return argument(name, description, (args) => args.value(name, expected, parse), more);
}

/** A whole number from 1 to `most`. */
export function count(
  name: string,
  description: string,
  most: number,
  more: object = {},
): Argument<number | undefined> {
  return value(name, description, {
    expected: `a whole number from 1 to ${most}`,
    parse: (digits) => wholeNumber(digits, most),
    schema: { type: 'integer', minimum: 1, maximum: most, ...more },
  });
}

export function wholeNumber(digits: string, most: number): number | undefined {
  const number = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
  return number >= 1 && number <= most ? number : undefined;
}

/** Several arguments as one object. They are read in the order of its keys, and issues are reported in that order. */
export function group<S extends Shape>(shape: S): Argument<Values<S>> {
  const members = Object.entries(shape);
  return {
    parameters: parametersOf(Object.values(shape)),
    read: (args) => {
      const values: Record<string, unknown> = {};
      for (const [key, { read }] of members) values[key] = read(args);
      return values as Values<S>;
    },
  };
}

/** Several arguments as one object, or undefined if none of them is given. */
export function optionalGroup<S extends Shape>(shape: S): Argument<Values<S> | undefined> {
  const { parameters, read } = group(shape);
  return {
    parameters,
    read: (args) => {
      const values = read(args);
      return Object.values(values).some((given) => given !== undefined) ? values : undefined;
    },
  };
}

/** The OpenAPI parameters of these arguments, in order. A repeated one keeps its first place. */
export function parametersOf(documented: readonly Argument<unknown>[]): readonly Parameter[] {
  const byName = new Map<string, Parameter>();
  for (const parameter of documented.flatMap(({ parameters }) => parameters)) {
    if (!byName.has(parameter.name)) byName.set(parameter.name, parameter);
  }
  return [...byName.values()];
}
