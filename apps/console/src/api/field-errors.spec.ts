import { expect, it } from 'vitest';
import { ApiError } from './api-error.js';
import { fieldErrors } from './field-errors.js';

const refused = (message: string, code = 40001) => new ApiError(400, [code], [message], null);

it('finds what is said about the fields of a form', () => {
  const error = refused('Missing or invalid field: name: must be a text; statuses.0: unknown; other: no');
  expect(fieldErrors(error, ['name', 'statuses'])).toEqual({ name: 'Must be a text', statuses: 'Unknown' });
});

it('finds nothing in other errors', () => {
  expect(fieldErrors(refused('Conflict: name: taken', 40902), ['name'])).toEqual({});
  expect(fieldErrors(refused('Missing or invalid field: the body'), ['name'])).toEqual({});
  expect(fieldErrors(new Error('name: x'), ['name'])).toEqual({});
});
