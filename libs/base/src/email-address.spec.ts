import { describe, expect, it } from 'vitest';
import { BuyerChange } from '#orders/order.contract';
import { NewOperator } from '#accounts/operator.contract';
import { QueueEscalation } from '#desk/queue.contract';
import { emailAddress, isEmailAddress } from './email-address.js';

const VALID = [
  'ada@example.com',
  "o'neil+tickets@mail.example.co.uk",
  'root@localhost',
  'ada.@docomo.example',
  'jürgen@müller.example',
  '李@例え.jp',
  `${'a'.repeat(64)}@example.com`,
];

const INVALID = [
  '',
  'ada',
  '@example.com',
  'ada@',
  'ada@example.com.',
  'ada@example..com',
  'ada@.example.com',
  'Ada<ada@example.com>',
  'Ada <ada@example.com>',
  '<ada@example.com>',
  'mailto:ada@example.com',
  'ada@example.com,bob@example.com',
  'ada@example.com;',
  'ada@bob@example.com',
  'a b@example.com',
  'ada@exam ple.com',
  'ada@example.com\r\nBcc: bob@example.com',
  'ada\u200b@example.com',
  'ada\ud800@example.com',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(63)}.${'b'.repeat(63)}.${'b'.repeat(63)}.${'b'.repeat(63)}.com`,
];

it.each(VALID)('%j is an e-mail address, also with blanks around it', (text) => {
  expect(isEmailAddress(text)).toBe(true);
  expect(emailAddress().parse(` ${text}\n`)).toBe(text);
});

it.each(INVALID)('%j is none', (text) => {
  expect(isEmailAddress(text)).toBe(false);
  expect(emailAddress().safeParse(text).success).toBe(false);
});

describe.each([
  ['a corrected buyer', (email: string) => BuyerChange.safeParse({ email })],
  ['an operator', (email: string) => NewOperator.safeParse({ email, name: 'Ada', roles: ['support'] })],
  ['an escalation', (notify: string) => mailOf(QueueEscalation.safeParse({ after_minutes: 5, notify }))],
])('%s', (_, parse) => {
  it('has the address without blanks, and no other text', () => {
    expect(parse(' ada@example.com ').data).toMatchObject({ email: 'ada@example.com' });
    expect(parse('Ada<ada@example.com>').success).toBe(false);
    expect(parse('ada@example.com.').success).toBe(false);
  });
});

function mailOf({ success, data }: ReturnType<typeof QueueEscalation.safeParse>) {
  return { success, data: { email: data?.notify } };
}
