import type { Pool as HttpPool } from 'undici';

/** Asks the back office. Paths are without `/backoffice/v1/`. Every answer that is not a 2xx is an error. */
export type DeskClient = Readonly<{
  get<Answer>(path: string): Promise<Answer>;
  post<Answer>(path: string, body: object): Promise<Answer>;
}>;

export function deskClient(http: HttpPool, token: string): DeskClient {
  const send = async <Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> => {
    const answer = await http.request({
      method,
      path: `/backoffice/v1/${path}`,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} was answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text) as Answer;
  };
  return { get: (path) => send('GET', path), post: (path, body) => send('POST', path, body) };
}

/** The ids of 200 confirmed orders, or of all if there are fewer. */
export async function confirmedOrders(desk: DeskClient): Promise<readonly string[]> {
  const where = { field: 'status_code', op: '=', value: 2000 };
  const { orders } = await desk.post<{ orders: { id: string }[] }>('orders/search', { where, limit: 200 });
  if (orders.length === 0) throw new Error('no order is confirmed');
  return orders.map(({ id }) => id);
}
