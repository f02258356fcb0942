import { vi } from 'vitest';

/** What a page asked for, as `POST orders/ord_1/refunds`, with its query and body. */
type Asked = Readonly<{ route: string; query: Readonly<Record<string, string>>; body: unknown }>;

type Answers = Readonly<Record<string, unknown>>;

/** An answer that refuses, as the server does. */
export const refusal = (status: number, code: number, message: string): Response =>
  Response.json({ errors: [{ code, message }] }, { status });

/** Stands in for the server: it answers these routes, and nothing else. A function answers what it is asked. @returns what it was asked for, oldest first */
export function serve(answers: Answers): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal('fetch', (address: string, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(address, 'http://localhost');
    const route = `${method} ${pathname.replace(/^.*\/backoffice\/v1\//, '')}`;
    asked.push({
      route,
      query: Object.fromEntries(searchParams),
      body: typeof body === 'string' ? JSON.parse(body) : undefined,
    });
    const given = answers[route];
    const answer: unknown = typeof given === 'function' ? given(asked.at(-1)) : given;
    if (answer instanceof Response) return Promise.resolve(answer.clone());
    return Promise.resolve(answer === undefined ? refusal(404, 40400, 'not found') : Response.json(answer));
  });
  return asked;
}
