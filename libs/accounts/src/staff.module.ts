import { Module } from '@nestjs/common';
import { IdempotencyKeys } from '#platform/idempotency-keys';
import { PeopleModule } from './people.module.js';
import { PlatformAuthModule } from './platform-auth.module.js';
import { ApiTokensController } from './people/api-tokens.controller.js';
import { Callers } from './callers.js';
import { FreshProofs } from './fresh-proof.js';
import { LiveCallers } from './live-callers.js';
import { InvitationsController } from './people/invitations.controller.js';
import { InboxController } from './inbox/inbox.controller.js';
import { OpenIdController } from './people/openid.controller.js';
import { OperatorsController } from './people/operators.controller.js';
import { OwnSessionsController } from './people/own-sessions.controller.js';
import { RequiredTotp } from './people/required-totp.js';
import { RolesController } from './people/roles.controller.js';
import { SellerLookup } from './seller-scope.js';
import { SessionController } from './people/session.controller.js';
import { SessionView } from './people/session-view.js';
import { StaffSessions } from './people/staff-sessions.js';
import { TokenGuesses } from './people/token-guesses.js';
import { TokenTerms } from './token-terms.js';
import { TotpController } from './people/totp.controller.js';

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
    InboxController,
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
