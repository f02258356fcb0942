import { Module } from '@nestjs/common';
import { SandboxPlatformModule } from '#pings/sandbox/sandbox-platform.module';
import { PlatformAuthModule } from '#platform-auth/platform-auth.module';
import { PingReceipt } from './ping-receipt.js';
import { SandboxController } from './sandbox.controller.js';

/** The built-in platform for installations without PLATFORM_URL: receives the pings and shows the results. */
@Module({
  imports: [SandboxPlatformModule, PlatformAuthModule],
  controllers: [SandboxController],
  providers: [PingReceipt],
})
export class SandboxModule {}
