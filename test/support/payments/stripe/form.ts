import { StripeDoubleError } from './stripe-error.js';

/** The parameters of a request, by their names as Stripe writes them: `metadata[order_id]`, `expand[0]`. */
export class Form {
  private constructor(private readonly fields: URLSearchParams) {}

  static of(text: string): Form {
    return new Form(new URLSearchParams(text));
  }

  text(name: string): string | undefined {
    return this.fields.get(name) ?? undefined;
  }

  /** @throws StripeDoubleError if it is missing */
  needed(name: string): string {
    const text = this.text(name);
    if (text !== undefined) return text;
    const fields = {
      type: 'invalid_request_error',
      code: 'parameter_missing',
      message: `Missing ${name}.`,
      param: name,
    };
    throw new StripeDoubleError(400, fields, false);
  }

  number(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : Number(text);
  }

  /** The fields of `name[…]`. */
  fieldsOf(name: string): Record<string, string> {
    const own = [...this.fields].filter(([path]) => path.startsWith(`${name}[`));
    return Object.fromEntries(own.map(([path, text]) => [path.slice(name.length + 1, -1), text]));
  }

  list(name: string): readonly string[] {
    return Object.values(this.fieldsOf(name));
  }
}
