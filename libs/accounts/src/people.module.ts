import { Module } from '@nestjs/common';
import { MailOutboxModule } from '#mail/mail-outbox.module';
import { AccountMails } from './account-mails.js';
import { Authenticators } from './people/authenticators.js';
import { Proofs } from './people/proofs.js';
import { RecoveryCodes } from './people/recovery-codes.js';
import { SecondFactors } from './people/second-factors.js';
import { ApiTokens } from './people/api-tokens.js';
import { AuditLog } from './audit-log.js';
import { FirstOperator } from './first-operator.js';
import { LiveActors } from './live-actors.js';
import { OperatorNames } from './operator-names.js';
import { OpenIdAccounts } from './people/openid-accounts.js';
import { OpenIdLogouts } from './people/openid-logouts.js';
import { OpenIdOperators } from './people/openid-operators.js';
import { OpenIdProvider } from './people/openid-provider.js';
import { OpenIdSignIn } from './people/openid-sign-in.js';
import { KnownBrowsers } from './people/known-browsers.js';
import { InboxMails } from './inbox/inbox-mails.js';
import { OwnInbox } from './inbox/own-inbox.js';
import { Operators } from './operators.js';
import { PasswordChanges } from './people/password-changes.js';
import { Passwords } from './people/passwords.js';
import { PersonalReads } from './personal-reads.js';
import { Persons } from './persons.js';
import { SecondPerson } from './second-person.js';
import { RefusedSignIns } from './people/refused-sign-ins.js';
import { Sessions } from './people/sessions.js';
import { SignIn } from './people/sign-in.js';
import { SignInLimiter } from './people/sign-in-limiter.js';
import { TotpSetups } from './people/totp-setups.js';
import { UnusedAccounts } from './people/unused-accounts.js';

const providers = [
  Passwords,
  Operators,
  OperatorNames,
  Sessions,
  KnownBrowsers,
  SignInLimiter,
  SignIn,
  PasswordChanges,
  AccountMails,
  Authenticators,
  Proofs,
  RecoveryCodes,
  SecondFactors,
  TotpSetups,
  OpenIdProvider,
  OpenIdOperators,
  OpenIdAccounts,
  OpenIdSignIn,
  OpenIdLogouts,
  ApiTokens,
  LiveActors,
  AuditLog,
  Persons,
  SecondPerson,
  PersonalReads,
  RefusedSignIns,
  FirstOperator,
  UnusedAccounts,
  OwnInbox,
  InboxMails,
];

/** People and programs of the back office: who they are, what they may do, and what they did. */
@Module({ imports: [MailOutboxModule], providers, exports: providers })
export class PeopleModule {}
