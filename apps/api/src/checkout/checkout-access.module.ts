import { Module } from '@nestjs/common';
import { PlatformAuthModule } from '#platform-auth/platform-auth.module';
import { RateLimit } from './rate-limit.js';

/** What `PlatformGuard` needs. */
@Module({
  imports: [PlatformAuthModule],
  providers: [RateLimit],
  exports: [PlatformAuthModule, RateLimit],
})
export class CheckoutAccessModule {}
