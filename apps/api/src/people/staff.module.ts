import { Module } from '@nestjs/common';
import { IdempotencyKeys } from '#operations/idempotency-keys';
import { PeopleModule } from '#people/people.module';
import { PlatformAuthModule } from '#platform-auth/platform-auth.module';
import { ApiTokensController } from './api-tokens.controller.js';
import { Callers } from './callers.js';
import { LiveCallers } from './live-callers.js';
import { InvitationsController } from './invitations.controller.js';
import { OpenIdController } from './openid.controller.js';
import { OperatorsController } from './operators.controller.js';
import { RolesController } from './roles.controller.js';
import { SellerLookup } from './seller-scope.js';
import { SessionController } from './session.controller.js';
import { StaffSessions } from './staff-sessions.js';
import { TokenGuesses } from './token-guesses.js';
import { TokenTerms } from './token-terms.js';
import { TotpController } from './totp.controller.js';

/** Sign-in, operators and tokens of the back office. Exports what `PermissionGuard` needs. */
@Module({
  imports: [PeopleModule, PlatformAuthModule],
  controllers: [
    SessionController,
    OpenIdController,
    OperatorsController,
    TotpController,
    RolesController,
    InvitationsController,
    ApiTokensController,
  ],
  providers: [IdempotencyKeys, Callers, LiveCallers, SellerLookup, StaffSessions, TokenGuesses, TokenTerms],
  exports: [IdempotencyKeys, Callers, LiveCallers, PeopleModule, SellerLookup, TokenTerms],
})
export class StaffModule {}
