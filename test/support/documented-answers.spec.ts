import { describe, expect, it } from 'vitest';
import { DocumentedAnswers } from './documented-answers.js';

const documented = new DocumentedAnswers();
const json = (value: unknown) => ({ mediaType: 'application/json', text: JSON.stringify(value), json: value });
const error = { errors: [{ code: 40400, message: 'Not found', user_message: '' }] };
const fault = (
  status: number,
  answer: ReturnType<typeof json>,
  path = '/backoffice/v1/operators/opr_1',
  method = 'GET',
) => documented.fault(method, path, { status, ...answer });

describe('an answer', () => {
  it('may be as it is documented, or of no route', () => {
    expect(fault(404, json(error))).toBeUndefined();
    expect(fault(503, json(error))).toBeUndefined();
    expect(fault(418, json({}), '/nowhere')).toBeUndefined();
    expect(
      fault(204, { mediaType: '', text: '', json: undefined }, '/backoffice/v1/operators/opr_1', 'DELETE'),
    ).toBeUndefined();
  });

  it('is at fault with a status, a field, a body or a type that is not documented', () => {
    expect(fault(418, json(error))).toContain('GET /backoffice/v1/operators/{id} 418 is not in');
    expect(fault(404, json({ ...error, more: 1 }))).toContain('must NOT have additional properties');
    expect(fault(404, json({ errors: [] }))).toContain('must NOT have fewer than 1 items');
    expect(fault(204, json(1), '/backoffice/v1/operators/opr_1', 'DELETE')).toContain('has a body');
    expect(fault(404, { ...json(error), mediaType: 'text/plain' })).toContain('is text/plain');
  });

  it('is that of the route with the fewest parameters', () => {
    expect(fault(200, json({ count: 'x' }), '/backoffice/v1/orders/count')).toContain('orders/count 200 is not as in');
  });

  it('has the formats that the document names', () => {
    const token = { id: 't', name: 'n', scopes: [], sellers: null, created_at: 'yesterday', created_by: 'x' };
    const tokens = { tokens: [{ ...token, expires_at: null, revoked_at: null, last_used_at: null }], token_days: 90 };
    expect(fault(200, json(tokens), '/backoffice/v1/tokens')).toContain('must match format "date-time"');
  });
});
