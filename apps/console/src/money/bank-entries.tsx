import { Section } from '../frame/section.js';
import { EntryTable } from './entry-table.js';
import { moneyWords } from './money-words.js';

const words = moneyWords.bank;

/** Payouts of providers, remittances, and payments to sellers. */
export function BankEntries() {
  return (
    <Section title={words.title} hint={words.hint}>
      <EntryTable account="bank" label={words.title} empty={words.none} />
    </Section>
  );
}
