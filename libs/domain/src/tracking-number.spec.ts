import { expect, it } from 'vitest';
import { isTrackingNumber, withoutBlanks } from './tracking-number.js';

it.each([
  ['UPS', '1Z999AA10123456784', true],
  ['ups', '1z 999 aa1 0123456784', true],
  ['UPS', '1Z999AA10123456783', false],
  ['UPS', '1Z999AA1012345678', false],
  ['UPS', '986578788855', false],
  ['FedEx', '986578788855', true],
  ['FedEx', '986578788854', false],
  ['FedEx', '041441760228964', true],
  ['FedEx', '041441760228963', false],
  ['FedEx', '61299998820821171811', true],
  ['FedEx', '1Z999AA10123456784', false],
  ['FedEx', '', false],
  ['Royal Mail', 'anything', true],
])('%s %s: %s', (carrier, number, expected) => {
  expect(isTrackingNumber(carrier, number)).toBe(expected);
});

it('has no blanks, as labels and web pages have them', () => {
  expect(withoutBlanks(' 1Z 999\tAA1\u00a00123\u200b456784\n')).toBe('1Z999AA10123456784');
  expect(withoutBlanks('61-299-998')).toBe('61-299-998');
});
