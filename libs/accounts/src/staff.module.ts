import { Module } from '@nestjs/common';
import { IdempotencyKeys } from '#platform/idempotency-keys';
import { PeopleModule } from './people.module.js';
import { PlatformAuthModule } from './platform-auth.module.js';
import { Callers } from './callers.js';
import { FreshProofs } from './fresh-proof.js';
import { LiveCallers } from './live-callers.js';
import { RequiredTotp } from './people/required-totp.js';
import { SellerLookup } from './seller-scope.js';
import { TokenGuesses } from './people/token-guesses.js';
import { TokenTerms } from './token-terms.js';

/** What `PermissionGuard` needs, and each feature that asks who calls. */
@Module({
  imports: [PeopleModule, PlatformAuthModule],
  providers: [IdempotencyKeys, Callers, FreshProofs, LiveCallers, RequiredTotp, SellerLookup, TokenGuesses, TokenTerms],
  exports: [IdempotencyKeys, Callers, FreshProofs, LiveCallers, PeopleModule, RequiredTotp, SellerLookup, TokenTerms],
})
export class StaffModule {}
