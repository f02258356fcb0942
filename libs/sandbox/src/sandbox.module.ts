import { Module } from '@nestjs/common';
import { SandboxPlatformModule } from './sandbox-platform.module.js';
import { PlatformAuthModule } from '#accounts/platform-auth.module';
import { ClientsModule } from '#accounts/clients.module';
import { StaffModule } from '#accounts/staff.module';
import { PingReceipt } from './ping-receipt.js';
import { SandboxController } from './sandbox.controller.js';
import { TestPurchases } from './test-purchases.js';
import { TestPurchasesController } from './test-purchases.controller.js';

/** The built-in platform for installations without PLATFORM_URL: receives the pings and shows the results, and buys for whoever tries it out. */
@Module({
  imports: [SandboxPlatformModule, PlatformAuthModule, ClientsModule, StaffModule],
  controllers: [SandboxController, TestPurchasesController],
  providers: [PingReceipt, TestPurchases],
})
export class SandboxModule {}
