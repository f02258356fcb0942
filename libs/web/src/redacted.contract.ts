const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** A value that must not be written down. A log, JSON or a template string shows only its name. `reveal` is easy to search for. */
export class Redacted<T> {
  readonly #value: T;

  constructor(
    value: T,
    private readonly name: string,
  ) {
    this.#value = value;
  }

  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return `[${this.name}]`;
  }

  toJSON(): string {
    return this.toString();
  }

  [INSPECT](): string {
    return this.toString();
  }
}
