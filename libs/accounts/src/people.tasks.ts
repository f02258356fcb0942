import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { AccountMails } from './account-mails.js';
import { OpenIdLogouts } from './people/openid-logouts.js';
import { InboxMails } from './inbox/inbox-mails.js';
import { OwnInbox } from './inbox/own-inbox.js';
import { PersonalReads } from './personal-reads.js';
import { RefusedSignIns } from './people/refused-sign-ins.js';
import { Sessions } from './people/sessions.js';
import { SignInLimiter } from './people/sign-in-limiter.js';
import { UnusedAccounts } from './people/unused-accounts.js';

const EVERY_MS = 600_000;
const SUM_EVERY_MS = 60_000;

export const PEOPLE_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'ended sessions',
    does: 'Deletes the sessions of operators that are over.',
    seen: 'table `sessions`',
    everyMs: EVERY_MS,
    handler: Sessions,
    run: (sessions) => sessions.prune(),
  }),
  repeatedTask({
    name: 'failed sign-ins',
    does: 'Deletes failed sign-ins that no longer count.',
    seen: 'table `sign_in_failures`',
    everyMs: EVERY_MS,
    handler: SignInLimiter,
    run: (limiter) => limiter.prune(),
  }),
  repeatedTask({
    name: 'refused sign-ins',
    does: 'Writes into the audit log how many sign-ins were refused in each quarter of an hour.',
    seen: 'table `refused_sign_ins`',
    everyMs: SUM_EVERY_MS,
    handler: RefusedSignIns,
    run: (refused) => refused.sumUp(),
  }),
  repeatedTask({
    name: 'OpenID log-outs',
    does: 'Deletes log-outs by the OpenID provider that nobody could repeat any more.',
    seen: 'table `openid_logouts`',
    everyMs: EVERY_MS,
    handler: OpenIdLogouts,
    run: (logouts) => logouts.prune(),
  }),
  repeatedTask({
    name: 'unused accounts',
    does: 'Disables operators who have not signed in for `UNUSED_ACCOUNT_DAYS`, if that is set.',
    seen: 'table `operators`, audit log',
    everyMs: EVERY_MS,
    handler: UnusedAccounts,
    run: (accounts) => accounts.disable(),
  }),
  repeatedTask({
    name: 'sums of personal data reads',
    does: "Writes into the audit log how often each token has read buyers' data in clear in each hour.",
    seen: 'table `personal_data_reads`',
    everyMs: SUM_EVERY_MS,
    handler: PersonalReads,
    run: (reads) => reads.sumUp(),
  }),
  repeatedTask({
    name: 'account mails',
    does: 'Tells people by e-mail that their password, e-mail address, authenticator app or recovery codes have changed.',
    seen: 'the e-mail; table `account_mails`',
    everyMs: 5_000,
    handler: AccountMails,
    async run(mails) {
      while (await mails.step());
    },
  }),
  repeatedTask({
    name: 'inbox mails',
    does: 'Tells people by e-mail who mentioned them and what they were assigned, unless they have read it or want no e-mail.',
    seen: 'the e-mail; table `inbox_notices`',
    everyMs: 5_000,
    handler: InboxMails,
    async run(mails) {
      while (await mails.step());
    },
  }),
  repeatedTask({
    name: 'old inbox notices',
    does: 'Deletes notices that are older than 90 days.',
    seen: 'table `inbox_notices`',
    everyMs: EVERY_MS,
    handler: OwnInbox,
    run: (notices) => notices.prune(),
  }),
];
