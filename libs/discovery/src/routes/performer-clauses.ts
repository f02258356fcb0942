import type { PerformerClause, Specificity } from '../search/query/event-search.js';
import { orRepeated, type Argument } from './argument.js';
import type { ArgumentReader } from './argument-reader.js';

const SPECIFICITIES: readonly string[] = ['any', 'primary', 'home_team', 'away_team'] satisfies Specificity[];

// `performers.id` or `performers[home_team].slug`. The name was decoded before, brackets included.
const PERFORMER_NAME = /^performers(?:\[([^[\]]{0,40})\])?\.(id|slug)$/;

// Each slug is a condition, and each condition costs a pass over the events.
const MOST_CLAUSES = 50;

/** Ids of one specificity are alternatives. Each slug is a condition of its own. Undefined when there is none. */
export const PERFORMERS: Argument<readonly PerformerClause[] | undefined> = {
  parameters: [
    { name: 'performers.id', description: orRepeated('one of these performers takes part') },
    { name: 'performers.slug', description: 'this performer takes part; repeated: all of them' },
    {
      name: 'performers[{specificity}].id',
      description: orRepeated('the same in a role: home_team, away_team, primary or any'),
    },
    { name: 'performers[{specificity}].slug', description: 'the same in a role' },
  ],
  read: readPerformerClauses,
};

function readPerformerClauses(args: ArgumentReader): readonly PerformerClause[] | undefined {
  const clauses: PerformerClause[] = [];
  for (const name of args.names) {
    if (!name.startsWith('performers')) continue;
    const [, given = 'any', field] = PERFORMER_NAME.exec(name) ?? [];
    if (field === undefined) continue;
    if (!SPECIFICITIES.includes(given)) {
      args.report(`performers[{specificity}].${field}`, 'the specificity must be home_team, away_team, primary or any');
      continue;
    }
    const specificity = given as Specificity;
    if (field === 'id') {
      const ids = args.ids(name);
      if (ids) clauses.push({ specificity, ids });
    } else {
      for (const slug of new Set(args.list(name))) clauses.push({ specificity, slug: slug.toLowerCase() });
    }
  }
  if (clauses.length > MOST_CLAUSES) args.report('performers', `may be given up to ${MOST_CLAUSES} times`);
  return clauses.length > 0 ? clauses : undefined;
}
