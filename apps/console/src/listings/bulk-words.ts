import { money, number } from '../words/formats.js';
import type { ChangeKind } from './listing-change.js';

const listings = (count: number) => (count === 1 ? '1 listing' : `${number(count)} listings`);
const tickets = (count: number) => (count === 1 ? '1 ticket' : `${number(count)} tickets`);
const is = (count: number) => (count === 1 ? 'is' : 'are');

export const bulkWords = {
  selectAll: 'Select all loaded listings',
  all: 'Select all loaded',
  change: 'Change …',
  changeAll: 'Change all that match …',
  titleAll: 'Change all listings that match',
  counting: (count: number) => `${listings(count)} found so far …`,
  title: (count: number) => `Change ${listings(count)}`,
  action: 'What changes',
  kinds: {
    price: 'Price: the same for all',
    percent: 'Price: by percent',
    amount: 'Price: by an amount',
    quantity: 'Tickets for sale',
    withdrawn: 'Withdraw',
    on_sale: 'Put on sale again',
  } satisfies Record<ChangeKind, string>,
  typed: { price: 'Price, $', percent: 'Percent', amount: 'Amount, $', quantity: 'Tickets for sale' },
  hint: {
    price: 'An amount such as 49.50',
    percent: 'Such as 5, or -10 to make them cheaper',
    amount: 'Such as 5, or -2.50 to make them cheaper',
    quantity: 'Of each listing, besides those in orders; 0 means sold out',
  },
  wrong: {
    price: 'An amount such as 49.50',
    percent: 'A number other than 0, such as 5 or -10',
    amount: 'An amount other than 0, such as 5 or -2.50',
    quantity: 'A whole number, 0 or more',
  },
  follows: {
    colleagues: 'A listing whose price somebody changes meanwhile is refused.',
    price: (count: number, price: number) =>
      `${listings(count)} ${count === 1 ? 'gets' : 'get'} the price ${money(price)}.`,
    prices: (count: number, least: number, most: number) =>
      `${listings(count)} get prices from ${money(least)} to ${money(most)}.`,
    before: (least: number, most: number) =>
      least === most ? `Now it is ${money(least)}.` : `Now they are from ${money(least)} to ${money(most)}.`,
    others: 'Fees and wholesale prices stay.',
    negative: (count: number) => `${listings(count)} would cost less than nothing, and will be refused.`,
    stillWithdrawn: (count: number) =>
      `${listings(count)} ${is(count)} withdrawn and ${count === 1 ? 'stays' : 'stay'} so.`,
    quantity: (count: number, quantity: number) =>
      `${listings(count)} ${count === 1 ? 'has' : 'have'} ${tickets(quantity)} for sale${count === 1 ? '' : ' each'}, besides those in orders.`,
    withdrawn: (count: number) => `${listings(count)} ${is(count)} withdrawn. Orders that exist stay as they are.`,
    on_sale: (count: number) => `${listings(count)} ${is(count)} put on sale again.`,
    already: (count: number) => `${listings(count)} ${is(count)} so already.`,
  },
  submit: (count: number) => `Change ${listings(count)}`,
  cancel: 'Cancel',
  close: 'Close',
  changed: (count: number) => `${listings(count)} changed.`,
  unchanged: (count: number) => `${listings(count)} ${count === 1 ? 'was' : 'were'} so already.`,
  refused: (count: number) => `${listings(count)} refused:`,
  progress: 'Progress',
  progressText: (done: number, all: number) => `${number(done)} of ${number(all)}`,
  unsent: (count: number) => `${listings(count)} ${is(count)} not changed yet.`,
  moreRefused: (count: number) => `And ${number(count)} more.`,
  refusals: 'Refused listings',
  listing: 'Listing',
  reason: 'Why',
} as const;
