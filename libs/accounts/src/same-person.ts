/** What is known of who made whom. Actors are `operator:<id>`, `token:<id>` and the like. */
export type Makers = Readonly<{
  /** The actor who made each token. */
  tokens: ReadonlyMap<string, string>;
  /** Who has made the account of an operator, or given it a password or an invitation, within the last 24 hours. */
  access: readonly Readonly<{ operator: string; by: string }>[];
}>;

export const SAME_PERSON_HOURS = 24;

/** How two actors may be one person. */
export type SamePerson = 'self' | 'own token' | 'made by the other' | 'made the other' | 'made by one';

/** A token acts for whoever made it, also through other tokens. */
function personBehind(actor: string, { tokens }: Pick<Makers, 'tokens'>): string {
  const maker = tokens.get(actor);
  return maker === undefined ? actor : personBehind(maker, { tokens });
}

/**
 * How `other` may be the same person as `actor`: undefined if they are two.
 *
 * @example
 * samePerson('operator:ada', 'operator:bob', { tokens: new Map(), access: [{ operator: 'operator:bob', by: 'operator:ada' }] });
 * // 'made by the other'
 */
export function samePerson(actor: string, other: string, makers: Makers): SamePerson | undefined {
  const [one, two] = [personBehind(actor, makers), personBehind(other, makers)];
  if (one === two) return actor === other ? 'self' : 'own token';
  if (withMakers(two, makers).has(one)) return 'made by the other';
  if (withMakers(one, makers).has(two)) return 'made the other';
  return haveOneMaker(one, two, makers) ? 'made by one' : undefined;
}

/** Whether what they do counts together. `BACKOFFICE_TOKEN` is nobody's, so whom it has made counts alone. */
export function countTogether(actor: string, other: string, makers: Makers): boolean {
  const [one, two] = [personBehind(actor, makers), personBehind(other, makers)];
  return one === two || haveOneMaker(one, two, makers);
}

/** Only a person makes two people one: a team whose accounts a program has made are still many. */
function haveOneMaker(one: string, two: string, makers: Makers): boolean {
  const others = withMakers(two, makers);
  return [...withMakers(one, makers)].some((maker) => maker.startsWith('operator:') && others.has(maker));
}

/** The person with everybody who could sign in as it. */
function withMakers(person: string, makers: Makers, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(person)) return found;
  found.add(person);
  for (const { operator, by } of makers.access) {
    if (operator === person) withMakers(personBehind(by, makers), makers, found);
  }
  return found;
}
