import { Module } from '@nestjs/common';
import { SandboxPlatformModule } from './sandbox-platform.module.js';
import { PlatformAuthModule } from '#accounts/platform-auth.module';
import { PingReceipt } from './ping-receipt.js';
import { SandboxController } from './sandbox.controller.js';

/** The built-in platform for installations without PLATFORM_URL: receives the pings and shows the results. */
@Module({
  imports: [SandboxPlatformModule, PlatformAuthModule],
  controllers: [SandboxController],
  providers: [PingReceipt],
})
export class SandboxModule {}
