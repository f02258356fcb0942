import type { HelpByPath } from '../frame/help-by-path.js';

/** What `?` says on the pages of this folder. */
export const help: HelpByPath = {
  '/settings/operators': {
    sentences: [
      'An operator is a person who signs in. The table below says what each role may do.',
      'An invitation is good once, for 72 hours.',
      'A removed operator can no longer sign in, and stays in history by name.',
    ],
    docs: 'people.md',
  },
  '/settings/tokens': {
    sentences: [
      'A token lets a program call the back office API with the permissions you choose.',
      'It is shown once. Revoke one that may be known to others.',
    ],
    docs: 'people.md',
  },
  '/settings/clients': {
    sentences: [
      'A client is a platform that may buy. Its secret signs each of its requests.',
      'Two secrets can be good at once, so that the platform can change over.',
    ],
    docs: 'platform.md',
  },
  '/settings/keys': {
    sentences: [
      'Discovery keys let others search the catalogue. Stream tokens let them read the stream of pings.',
      'The bars show how often a key was used in the last days.',
    ],
    docs: 'streams.md',
  },
  '/settings/webhooks': {
    sentences: [
      'A webhook tells a system of yours what happens to orders.',
      'Each delivery is signed and tried again for days. What has failed for good is parked.',
    ],
    docs: 'webhooks.md',
  },
  '/settings/webhooks/$id': {
    sentences: [
      'The page has one webhook with each delivery and what was answered.',
      'Test sends a request that says that it is one. Resume tries the oldest waiting delivery at once.',
      'Rotate the secret when somebody else may know it. The old one stays good for the time you choose.',
    ],
    docs: 'webhooks.md',
  },
  '/settings/catalogue': {
    sentences: [
      'The statuses that orders may have, with their messages, and which may follow which.',
      'A new version counts for every change from now on. Orders keep the status that they have.',
    ],
    docs: 'statuses.md',
  },
  '/settings/mail': {
    sentences: [
      'The e-mails to buyers as they go out, with invented data.',
      'The words are in a file of yours (MAIL_TEMPLATES_FILE), or the built-in ones.',
      'MAIL_FROM and MAIL_POSTAL_ADDRESS say who sends them.',
    ],
    docs: 'install-and-upgrade.md#e-mail',
  },
  '/settings/projections': {
    sentences: [
      'Projections are tables that are made of the events. They can be checked and made again at any time.',
      'Verify compares every table with the log, and changes nothing.',
      'Rebuild fills a second table and exchanges it, while reads and writes go on.',
    ],
    docs: 'maintenance.md',
  },
  '/settings/audit': {
    sentences: [
      'Who did what, from where, newest first. Nobody can change or remove an entry.',
      'Press a value in the list to filter by it. What you see can be saved as CSV.',
    ],
    docs: 'people.md',
  },
};
