import { Module } from '@nestjs/common';
import { ClientsModule } from '#accounts/clients.module';
import { StaffModule } from '#accounts/staff.module';
import { SandboxPlatformModule } from './sandbox-platform.module.js';
import { TestPurchasesController } from './test-purchases.controller.js';
import { TestPurchases } from './test-purchases.js';

/** The built-in platform buys for whoever tries it out. */
@Module({
  imports: [SandboxPlatformModule, ClientsModule, StaffModule],
  controllers: [TestPurchasesController],
  providers: [TestPurchases],
})
export class TestPurchasesApiModule {}
