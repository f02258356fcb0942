import { wordFor } from '../words/word-for.js';
import { providerText } from '../order/payment-source.js';
import { partsOf } from './balance-points.js';
import { moneyWords } from './money-words.js';

const { account: names, meaning, seller, client, provider } = moneyWords;

/** An account of the ledger in words. */
export function accountText(account: string): string {
  const { kind, of } = partsOf(account);
  if (of === undefined) return wordFor(names, kind) ?? account;
  if (kind === 'seller') return seller(of);
  if (kind === 'client') return client(of);
  return kind === 'provider' ? provider(providerText(of)) : account;
}

/** What the balance of an account means. */
export const meaningOf = (account: string): string => wordFor(meaning, partsOf(account).kind) ?? '';

/** The type of an event in words: `RefundSucceeded` is "Refund made". */
export function eventText(event: string): string {
  const spaced = event.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return wordFor(moneyWords.entries.event, event) ?? spaced.charAt(0) + spaced.slice(1).toLowerCase();
}
