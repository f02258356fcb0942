import { expect, it } from 'vitest';
import { refusalText } from './refusal-text.js';

it.each([
  ['Missing or invalid field: data.carrier must be one of UPS, FedEx', 'Carrier must be one of UPS, FedEx.'],
  ['Missing or invalid field: price: is missing; seats.0: must be a text', 'Price is missing. Seats must be a text.'],
  ['Missing or invalid field: after_minutes: must be a number', 'After minutes must be a number.'],
  ['Conflict: The order is in no queue.', 'The order is in no queue.'],
  ['Not found: there is no such order', 'There is no such order.'],
  ['Not allowed: your role does not let you do this', 'Your role does not let you do this.'],
  ['Payment declined', 'Payment declined.'],
])('%s is read as: %s', (message, text) => {
  expect(refusalText(message)).toBe(text);
});
