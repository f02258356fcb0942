import { Module } from '@nestjs/common';
import { IdempotencyKeys } from '#operations/idempotency-keys';
import { PeopleModule } from '#people/people.module';
import { PlatformAuthModule } from '#platform-auth/platform-auth.module';
import { ApiTokensController } from './api-tokens.controller.js';
import { Callers } from './callers.js';
import { FreshProofs } from './fresh-proof.js';
import { LiveCallers } from './live-callers.js';
import { InvitationsController } from './invitations.controller.js';
import { OpenIdController } from './openid.controller.js';
import { OperatorsController } from './operators.controller.js';
import { OwnSessionsController } from './own-sessions.controller.js';
import { RequiredTotp } from './required-totp.js';
import { RolesController } from './roles.controller.js';
import { SellerLookup } from './seller-scope.js';
import { SessionController } from './session.controller.js';
import { SessionView } from './session-view.js';
import { StaffSessions } from './staff-sessions.js';
import { TokenGuesses } from './token-guesses.js';
import { TokenTerms } from './token-terms.js';
import { TotpController } from './totp.controller.js';

/** Sign-in, operators and tokens of the back office. Exports what `PermissionGuard` needs. */
@Module({
  imports: [PeopleModule, PlatformAuthModule],
  controllers: [
    SessionController,
    OwnSessionsController,
    OpenIdController,
    OperatorsController,
    TotpController,
    RolesController,
    InvitationsController,
    ApiTokensController,
  ],
  providers: [
    IdempotencyKeys,
    Callers,
    FreshProofs,
    LiveCallers,
    RequiredTotp,
    SellerLookup,
    SessionView,
    StaffSessions,
    TokenGuesses,
    TokenTerms,
  ],
  exports: [IdempotencyKeys, Callers, FreshProofs, LiveCallers, PeopleModule, SellerLookup, TokenTerms],
})
export class StaffModule {}
