import { Module } from '@nestjs/common';
import { SessionView } from './people/session-view.js';
import { StaffSessions } from './people/staff-sessions.js';
import { StaffModule } from './staff.module.js';
import { ApiTokensController } from './people/api-tokens.controller.js';
import { InvitationsController } from './people/invitations.controller.js';
import { InboxController } from './inbox/inbox.controller.js';
import { OpenIdController } from './people/openid.controller.js';
import { OperatorsController } from './people/operators.controller.js';
import { OwnSessionsController } from './people/own-sessions.controller.js';
import { RolesController } from './people/roles.controller.js';
import { SessionController } from './people/session.controller.js';
import { TotpController } from './people/totp.controller.js';

/** Sign-in, operators, tokens and the inbox of the back office. */
@Module({
  imports: [StaffModule],
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
  providers: [SessionView, StaffSessions],
})
export class StaffApiModule {}
