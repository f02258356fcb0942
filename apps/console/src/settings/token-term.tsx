import { NativeSelect } from '@mantine/core';
import { tokenEndWords as words } from './token-end-words.js';

const DAYS = [30, 90, 365];
const DAY_MS = 86_400_000;

/** Of a new token. Undefined is the usual one, null none. */
export type TokenTerm = number | null | undefined;

type Props = Readonly<{ usualDays: number | undefined; term: TokenTerm; onChange: (term: TokenTerm) => void }>;

/** Asks how long a new token is to work. */
export function TokenTermSelect({ usualDays, term, onChange }: Props) {
  const others = DAYS.filter((days) => days !== usualDays);
  return (
    <NativeSelect
      label={words.validFor}
      value={term === undefined ? 'usual' : String(term)}
      onChange={({ currentTarget: { value } }) =>
        onChange(value === 'usual' ? undefined : value === 'null' ? null : Number(value))
      }
      data={[
        { value: 'usual', label: usualDays === undefined ? words.usual : words.days(usualDays) },
        ...others.map((days) => ({ value: String(days), label: words.days(days) })),
        { value: 'null', label: words.noLimit },
      ]}
    />
  );
}

/** What the request says of it. */
export function endOf(term: TokenTerm): { expires_at?: string | null } {
  if (term === undefined) return {};
  return { expires_at: term === null ? null : new Date(Date.now() + term * DAY_MS).toISOString() };
}
