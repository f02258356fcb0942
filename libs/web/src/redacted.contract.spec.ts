import { format, inspect } from 'node:util';
import { expect, it } from 'vitest';
import { Redacted } from './redacted.contract.js';

const card = new Redacted({ number: '4111111111111111', cvv: '123' }, 'card');

it('is shown only by reveal()', () => expect(card.reveal()).toEqual({ number: '4111111111111111', cvv: '123' }));

it.each([
  ['JSON', JSON.stringify({ card })],
  ['inspect', inspect({ card }, { depth: null, showHidden: true })],
  ['console.log', format('%o %O %s %j', card, card, card, card)],
  ['text', String(card)],
  ['its entries', JSON.stringify(Object.entries(card))],
  ['a copy', JSON.stringify(Object.assign({}, card))],
  ['a clone', inspect(structuredClone(Object.assign({}, card)))],
])('shows nothing in %s', (_, text) => {
  expect(text).toMatch(/card/);
  expect(text).not.toMatch(/4111|123/);
});
