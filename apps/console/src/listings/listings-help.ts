import type { HelpByPath } from '../frame/help-by-path.js';

/** What `?` says on the pages of this folder. */
export const help: HelpByPath = {
  '/listings': {
    sentences: [
      'A listing is a set of tickets of one show that a seller offers together.',
      'Add one by hand, or import a file: the import shows every fault by its column before anything is written.',
      'A withdrawn listing is no longer sold. Its orders go on.',
    ],
    docs: 'listings.md',
  },
  '/listings/$id': {
    sentences: [
      'The page has the terms of one listing: price, fees, split rule, delivery and what is still for sale.',
      'A change counts for new purchases. Orders keep the terms they were sold with.',
      'Withdraw takes it off sale, and saving it again puts it back.',
    ],
    docs: 'listings.md',
  },
};
