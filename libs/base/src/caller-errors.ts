/** What was given cannot be used. The message says what is wrong with the field. */
export class InvalidValue extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** So much work waits already that more is not begun. Nothing was done: the caller may try again. */
export class Overloaded extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}
