import { Module } from '@nestjs/common';
import { SandboxPlatformModule } from '#pings/sandbox/sandbox-platform.module';
import { PlatformAuthModule } from '#platform-auth/platform-auth.module';
import { PingReceipt } from './ping-receipt.js';
import { SandboxController } from './sandbox.controller.js';

/** Stands in for the platform while there is none: receives the pings, and shows what came of them. */
@Module({
  imports: [SandboxPlatformModule, PlatformAuthModule],
  controllers: [SandboxController],
  providers: [PingReceipt],
})
export class SandboxModule {}
