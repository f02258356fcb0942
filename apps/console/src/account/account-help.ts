import type { HelpByPath } from '../frame/help-by-path.js';

/** What `?` says on the pages of this folder. */
export const help: HelpByPath = {
  '/account': {
    sentences: [
      'Your name, password, authenticator app, time zone and open sessions.',
      'A change of password ends your other sessions.',
      'Keep the recovery codes where you find them without this computer.',
    ],
    docs: 'people.md',
  },
};
