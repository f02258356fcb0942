import type { HelpByPath } from '../frame/help-by-path.js';

/** What `?` says on the pages of this folder. */
export const help: HelpByPath = {
  '/delivery': {
    sentences: [
      'The page says what has not arrived at the platform and at webhooks, what is wrong first.',
      'Waiting means that the next try comes by itself. Try now does not wait for it.',
      'A parked ping has used up all its tries. It stays here until somebody sends it again.',
      'An order is behind when the platform has neither acknowledged nor read its latest status.',
      'A replay sends the changes of a time again, at the rate you choose.',
    ],
    docs: 'delivery.md',
  },
};
