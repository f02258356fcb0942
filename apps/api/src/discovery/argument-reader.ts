import type { Query } from './query-string.js';

/** One argument that cannot be used, and why; never its value. */
export type ArgumentIssue = Readonly<{ argument: string; message: string }>;

/** A longer text finds nothing, and costs. */
const LONGEST_TEXT = 500;

/** A list longer than the largest page cannot be meant. */
const MOST_VALUES = 5_000;

/** What columns of ids hold. */
const LARGEST_ID = 2_147_483_647;
/** Stands for every id that is too large for them: ids begin at 1, so nothing has it. */
const ID_OF_NOTHING = 0;

const IDS = 'must be whole numbers, separated by commas';

/**
 * Reads arguments and gathers what is wrong with them, so that one answer names all faults. An argument that nobody asks for is
 * ignored; of one that has a single value the first counts.
 */
export class ArgumentReader {
  readonly #faults = new Map<string, string>();

  constructor(private readonly query: Query) {}

  get faults(): readonly ArgumentIssue[] {
    return Array.from(this.#faults, ([argument, message]) => ({ argument, message }));
  }

  get names(): Iterable<string> {
    return this.query.keys();
  }

  has(name: string): boolean {
    return this.query.has(name);
  }

  /** The first fault of an argument is the one that is told. */
  fault(argument: string, message: string): undefined {
    if (!this.#faults.has(argument)) this.#faults.set(argument, message);
    return undefined;
  }

  /** An empty one counts as not given. */
  text(name: string, longest = LONGEST_TEXT): string | undefined {
    return this.#texts(name, longest)[0];
  }

  /** All its values; undefined when there is none. */
  texts(name: string): readonly string[] | undefined {
    return someOf(this.#texts(name, LONGEST_TEXT));
  }

  /** All its values, repeated or separated by commas. */
  list(name: string): readonly string[] | undefined {
    if (!this.query.has(name)) return undefined;
    const texts = this.#texts(name, Infinity).flatMap((text) => text.split(',').map((entry) => entry.trim()));
    const values = texts.filter((entry) => entry !== '');
    if (values.length > MOST_VALUES) return this.fault(name, `must have at most ${MOST_VALUES} values`);
    if (values.some(({ length }) => length > LONGEST_TEXT)) {
      return this.fault(name, `must have at most ${LONGEST_TEXT} characters a value`);
    }
    return someOf(values);
  }

  /** Each once; with `as`, a fault goes by that name. */
  ids(name: string, as = name): readonly number[] | undefined {
    const given = this.query.get(name);
    if (!given) return undefined;
    const texts = given.join(',').split(',', MOST_VALUES + 1);
    if (texts.length > MOST_VALUES) return this.fault(as, `must have at most ${MOST_VALUES} values`);
    const ids = new Set<number>();
    for (const text of texts) {
      const id = idOf(text.trim());
      if (id !== undefined) ids.add(id);
      // A comma too many does no harm.
      else if (text.trim() !== '' || texts.length === 1) return this.fault(as, IDS);
    }
    return ids.size > 0 ? [...ids] : this.fault(as, IDS);
  }

  /** Its first value as `read` understands it; undefined from `read` is a fault. */
  value<T>(name: string, expected: string, read: (text: string) => T | undefined): T | undefined {
    const values = this.query.get(name);
    return values && this.#read(name, values[0], expected, read);
  }

  /** All its values as `read` understands them. */
  values<T>(name: string, expected: string, read: (text: string) => T | undefined): readonly T[] {
    const found = (this.query.get(name) ?? []).map((text) => this.#read(name, text, expected, read));
    return found.filter((value) => value !== undefined);
  }

  #read<T>(name: string, text: string | undefined, expected: string, read: (text: string) => T | undefined) {
    if (text === undefined) return this.#undecodable(name);
    const value = read(text.trim());
    return value === undefined ? this.fault(name, `must be ${expected}`) : value;
  }

  #texts(name: string, longest: number): readonly string[] {
    const texts: string[] = [];
    for (const value of this.query.get(name) ?? []) {
      if (value === undefined) this.#undecodable(name);
      else if (value.includes('\0')) this.fault(name, 'must not contain NUL');
      else if (value.length > longest) this.fault(name, `must have at most ${longest} characters`);
      else if (value.trim() !== '') texts.push(value.trim());
    }
    return texts;
  }

  #undecodable(name: string): undefined {
    return this.fault(name, 'must be percent-encoded UTF-8');
  }
}

/** The id that a text is, as a list or a path has it; of a whole number that no id can be, one that matches nothing. */
export function idOf(text: string): number | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const id = Number(text);
  return id <= LARGEST_ID ? id : ID_OF_NOTHING;
}

function someOf<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length > 0 ? values : undefined;
}
