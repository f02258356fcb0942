import { LARGEST_CATALOGUE_ID } from '../catalogue.contract.js';
import { MAX_PER_PAGE } from '#accounts/discovery-key.limits';
import type { Query } from './query-string.js';

/** An argument that cannot be used, and why. It never contains the value. */
export type ArgumentIssue = Readonly<{ argument: string; message: string }>;

// A longer text finds nothing and is expensive to search for.
const MAX_TEXT_LENGTH = 500;

// As many as the largest page has.
const MAX_VALUES = 5_000;

// Stands for every larger id. Ids begin at 1, so no document has it.
const UNMATCHED_ID = 0;

const IDS = 'must be whole numbers, separated by commas';

/**
 * Reads arguments and collects their issues, so that one answer names all of them. Unknown arguments are ignored. When an argument
 * with a single value is repeated, the first value counts.
 */
export class ArgumentReader {
  readonly #issues = new Map<string, string>();

  /** `maxPerPage` is the right of the key. */
  constructor(
    private readonly query: Query,
    readonly maxPerPage = MAX_PER_PAGE,
  ) {}

  get issues(): readonly ArgumentIssue[] {
    return Array.from(this.#issues, ([argument, message]) => ({ argument, message }));
  }

  get names(): Iterable<string> {
    return this.query.keys();
  }

  has(name: string): boolean {
    return this.query.has(name);
  }

  /** Only the first issue of an argument is kept. */
  report(argument: string, message: string): undefined {
    if (!this.#issues.has(argument)) this.#issues.set(argument, message);
    return undefined;
  }

  /** An empty text counts as not given. */
  text(name: string, longest = MAX_TEXT_LENGTH): string | undefined {
    return this.#texts(name, longest)[0];
  }

  /** All values; undefined when there is none. */
  texts(name: string): readonly string[] | undefined {
    return nonEmpty(this.#texts(name, MAX_TEXT_LENGTH));
  }

  /** All values, repeated or separated by commas. */
  list(name: string): readonly string[] | undefined {
    if (!this.query.has(name)) return undefined;
    const texts = this.#texts(name, Infinity).flatMap((text) => text.split(',').map((entry) => entry.trim()));
    const values = texts.filter((entry) => entry !== '');
    if (values.length > MAX_VALUES) return this.report(name, `must have at most ${MAX_VALUES} values`);
    if (values.some(({ length }) => length > MAX_TEXT_LENGTH)) {
      return this.report(name, `must have at most ${MAX_TEXT_LENGTH} characters a value`);
    }
    return nonEmpty(values);
  }

  /** Each id once. Issues are reported under the name `as`. */
  ids(name: string, as = name): readonly number[] | undefined {
    const given = this.query.get(name);
    if (!given) return undefined;
    const texts = given.join(',').split(',', MAX_VALUES + 1);
    if (texts.length > MAX_VALUES) return this.report(as, `must have at most ${MAX_VALUES} values`);
    const ids = new Set<number>();
    for (const text of texts) {
      const id = idOf(text.trim());
      if (id !== undefined) ids.add(id);
      // Clients end lists with a comma.
      else if (text.trim() !== '' || texts.length === 1) return this.report(as, IDS);
    }
    return ids.size > 0 ? [...ids] : this.report(as, IDS);
  }

  /** The first value, converted by `read`. Undefined from `read` is an issue. */
  value<T>(name: string, expected: string, read: (text: string) => T | undefined): T | undefined {
    const values = this.query.get(name);
    return values && this.#read(name, values[0], expected, read);
  }

  /** All values, converted by `read`. */
  values<T>(name: string, expected: string, read: (text: string) => T | undefined): readonly T[] {
    const found = (this.query.get(name) ?? []).map((text) => this.#read(name, text, expected, read));
    return found.filter((value) => value !== undefined);
  }

  #read<T>(name: string, text: string | undefined, expected: string, read: (text: string) => T | undefined) {
    if (text === undefined) return this.#undecodable(name);
    const value = read(text.trim());
    return value === undefined ? this.report(name, `must be ${expected}`) : value;
  }

  #texts(name: string, longest: number): readonly string[] {
    const texts: string[] = [];
    for (const value of this.query.get(name) ?? []) {
      if (value === undefined) this.#undecodable(name);
      else if (value.includes('\0')) this.report(name, 'must not contain NUL');
      else if (value.length > longest) this.report(name, `must have at most ${longest} characters`);
      else if (value.trim() !== '') texts.push(value.trim());
    }
    return texts;
  }

  #undecodable(name: string): undefined {
    return this.report(name, 'must be percent-encoded UTF-8');
  }
}

/** Returns the id of a text in a list or a path. A number that is too large gives an id that matches nothing. */
export function idOf(text: string): number | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const id = Number(text);
  return id <= LARGEST_CATALOGUE_ID ? id : UNMATCHED_ID;
}

function nonEmpty<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length > 0 ? values : undefined;
}
