import { describe, expect, it } from 'vitest';
import { apiErrorOf } from './api-error.js';

const codesOf = async (body: string) => (await apiErrorOf(new Response(body, { status: 502 }))).codes;

describe('an answer that is an error', () => {
  it('has the codes and messages of the api', async () => {
    const body = { errors: [{ code: 40001, message: 'price: must be a number' }] };
    const error = await apiErrorOf(new Response(JSON.stringify(body), { status: 400 }));
    expect([error.status, error.message, error.has(40001)]).toEqual([400, 'price: must be a number', true]);
  });

  it.each(['<h1>Bad gateway</h1>', 'null', '"down"', '{"errors":"down"}', '{"errors":[null,{"code":"7"}]}'])(
    'has no codes if something else answers: %s',
    async (body) => {
      expect(await codesOf(body)).toEqual([]);
    },
  );
});
