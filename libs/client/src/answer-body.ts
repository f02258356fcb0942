/** Undefined when the answer is not JSON or longer than `maxBytes`. */
export async function jsonIn({ body }: Response, maxBytes: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    // Returning from the loop cancels the body.
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } catch {
    return undefined;
  }
}

/** An entry of the Error body. You can show `user_message` to the buyer. */
export type ErrorEntry = Readonly<{ code: number; message: string; user_message?: string }>;

export function errorsIn(body: unknown): readonly ErrorEntry[] | undefined {
  const errors = (body as { errors?: unknown } | null | undefined)?.errors;
  if (!Array.isArray(errors) || errors.length === 0) return undefined;
  return errors.every(isErrorEntry) ? errors : undefined;
}

function isErrorEntry(entry: unknown): entry is ErrorEntry {
  const { code, message } = (entry ?? {}) as Partial<ErrorEntry>;
  return typeof code === 'number' && typeof message === 'string';
}

/** Quotes nothing from the request. */
export function describeError(error: unknown): string {
  const { name, cause } = error as Error;
  if (name === 'TimeoutError') return 'no answer in time';
  // fetch puts the reason only into the cause. For a blocked port (6000, 10080 …) the cause has no code.
  const { code, message } = (cause ?? {}) as { code?: string; message?: string };
  return `the connection failed: ${code ?? message ?? name}`;
}
