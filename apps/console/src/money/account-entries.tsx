import { Link, useSearch } from '@tanstack/react-router';
import { Section } from '../frame/section.js';
import { accountText } from './account-text.js';
import { EntryTable } from './entry-table.js';
import { moneyWords } from './money-words.js';

const words = moneyWords.entries;

/** The entries of the account that the address names. */
export function AccountEntries({ account }: Readonly<{ account: string }>) {
  const search = useSearch({ from: '/frame/money' });
  const title = words.title(accountText(account));
  return (
    <Section
      title={title}
      action={
        <Link to="/money" search={{ ...search, account: undefined }} resetScroll={false}>
          {words.close}
        </Link>
      }
    >
      <EntryTable account={account} label={title} empty={words.none} />
    </Section>
  );
}
