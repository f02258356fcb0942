import { expect, it } from 'vitest';
import { actionText, auditCsv, detailFacts, partsOf } from './audit-text.js';

it.each([
  ['order.changed', 'Order changed'],
  ['personal_data.revealed', 'Personal data revealed'],
  ['operator.totp_confirmed', 'Authenticator app set up'],
])('the action %s is read as: %s', (action, text) => {
  expect(actionText(action)).toBe(text);
});

it.each([
  ['order:ord_1', { kind: 'Order', id: 'ord_1' }],
  ['cli:root', { kind: 'Command line', id: 'root' }],
  ['system', { kind: 'Willcall', id: '' }],
  ['money_task:mt:1', { kind: 'Money task', id: 'mt:1' }],
])('%s is named in words', (text, parts) => {
  expect(partsOf(text)).toEqual(parts);
});

it('names what was done exactly, value by value', () => {
  expect(detailFacts({ status_code: 2000, note: 'ok' })).toEqual([
    ['Status code', '2000'],
    ['Note', 'ok'],
  ]);
});

it('makes a file for a spreadsheet that no text turns into a formula', () => {
  const entry = {
    id: '1',
    at: '2026-11-26T10:00:00.000Z',
    actor: 'operator:opr_1',
    actor_name: '=1+1 "Ada"',
    action: 'order.changed',
    subject: 'order:ord_1',
    subject_name: null,
    transaction_id: 'tx-1',
    address: '10.0.0.1',
    detail: {},
  };
  expect(auditCsv([entry]).split('\r\n')[1]).toBe(
    `"2026-11-26T10:00:00.000Z","operator:opr_1","'=1+1 ""Ada""","order.changed","order:ord_1","","10.0.0.1","tx-1","{}"`,
  );
});
