type Line = Readonly<{ fields: Record<string, unknown>; message: string }>;

/** A log that keeps what it is told. */
export class LogDouble {
  readonly lines: Line[] = [];

  readonly warn = (fields: unknown, message?: unknown): void => this.keep(fields, message);
  readonly error = (fields: unknown, message?: unknown): void => this.keep(fields, message);

  private keep(fields: unknown, message: unknown): void {
    this.lines.push({ fields: fields as Line['fields'], message: String(message) });
  }
}
