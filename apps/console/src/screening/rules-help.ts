import type { HelpByPath } from '../frame/help-by-path.js';

/** What `?` says on the pages of this folder. */
export const help: HelpByPath = {
  '/settings/policies': {
    sentences: [
      'A policy accepts or denies orders that wait for the broker, so that nobody has to.',
      'The first policy whose conditions hold decides. A dry run shows what it would have done to past orders.',
    ],
    docs: 'back-office.md#accept',
  },
  '/settings/fraud-rules': {
    sentences: [
      'A fraud rule looks at each purchase and can hold it for review or reject it.',
      'The order of the rules does not matter: the strictest verdict counts.',
      'A dry run shows which past orders it would have met.',
    ],
    docs: 'back-office.md#review',
  },
};
