import { Module } from '@nestjs/common';
import { AccountMails } from './account-mails.js';
import { Authenticators } from './authenticators.js';
import { Proofs } from './proofs.js';
import { RecoveryCodes } from './recovery-codes.js';
import { SecondFactors } from './second-factors.js';
import { ApiTokens } from './api-tokens.js';
import { AuditLog } from './audit-log.js';
import { FirstOperator } from './first-operator.js';
import { LiveActors } from './live-actors.js';
import { OperatorNames } from './operator-names.js';
import { OpenIdAccounts } from './openid-accounts.js';
import { OpenIdLogouts } from './openid-logouts.js';
import { OpenIdOperators } from './openid-operators.js';
import { OpenIdProvider } from './openid-provider.js';
import { OpenIdSignIn } from './openid-sign-in.js';
import { KnownBrowsers } from './known-browsers.js';
import { Operators } from './operators.js';
import { PasswordChanges } from './password-changes.js';
import { Passwords } from './passwords.js';
import { PersonalReads } from './personal-reads.js';
import { Persons } from './persons.js';
import { RefusedSignIns } from './refused-sign-ins.js';
import { Sessions } from './sessions.js';
import { SignIn } from './sign-in.js';
import { SignInLimiter } from './sign-in-limiter.js';
import { TotpSetups } from './totp-setups.js';
import { UnusedAccounts } from './unused-accounts.js';

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
  PersonalReads,
  RefusedSignIns,
  FirstOperator,
  UnusedAccounts,
];

/** People and programs of the back office: who they are, what they may do, and what they did. */
@Module({ providers, exports: providers })
export class PeopleModule {}
