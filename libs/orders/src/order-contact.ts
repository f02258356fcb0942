import type { PersonMatch } from './asked-matches.js';
import type { Person } from './buyer-folding.js';
import { maskedBeyond } from './masking.js';
import type { PersonalData } from './purchase-drafts.js';

/** Who bought, as a list of orders shows it. */
export type OrderContact = Readonly<{ name: string | null; email: string | null; phone: string | null }>;

/** Buyer, receiver and payer: often one person, and not each has every field. */
export function peopleOf({ user, delivery, billing }: PersonalData): readonly Person[] {
  return [user, delivery, billing].map((person) => ({ ...person }));
}

/**
 * The first name, address and number that the order knows, or those that a search has met. If they are masked, what was asked for stays:
 * whoever typed it knows it. Null if the order knows nobody.
 */
export function contactOf(data: PersonalData, matches: readonly PersonMatch[], isMasked: boolean): OrderContact | null {
  const people = peopleOf(data);
  const pick = (field: 'name' | 'email' | 'phone', names: readonly string[]) => {
    const met = matches.filter((match) => match.field === field);
    const person = people[met[0]?.person ?? -1] ?? people.find((one) => names.some((name) => textOf(one, name) !== ''));
    if (!person) return null;
    const shown = names.map((name) => {
      const value = textOf(person, name);
      const asked = met.find(({ of }) => of === name || of === 'full_name');
      return isMasked ? maskedBeyond(asked?.of === 'full_name' ? value : (asked?.part ?? ''), value) : value;
    });
    return shown.filter((part) => part !== '').join(' ') || null;
  };
  const name = pick('name', ['first_name', 'last_name']);
  const [email, phone] = [pick('email', ['email']), pick('phone', ['phone'])];
  return (name ?? email ?? phone) ? { name, email, phone } : null;
}

function textOf(person: Person, name: string): string {
  const value = person[name];
  return typeof value === 'string' ? value : '';
}
