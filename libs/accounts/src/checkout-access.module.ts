import { Module } from '@nestjs/common';
import { PlatformAuthModule } from './platform-auth.module.js';
import { RateLimit } from './clients/rate-limit.js';

/** What `PlatformGuard` needs. */
@Module({
  imports: [PlatformAuthModule],
  providers: [RateLimit],
  exports: [PlatformAuthModule, RateLimit],
})
export class CheckoutAccessModule {}
