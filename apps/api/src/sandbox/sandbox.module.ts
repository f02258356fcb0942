import { Module } from '@nestjs/common';
import { Settings } from '#config/settings';
import { ClientRegistry } from '#platform-auth/clients';
import { RequestVerifier } from '#platform-auth/verify-request';
import { SandboxCoreModule } from '#wiring/sandbox-core.module';
import { PingReceipt } from './ping-receipt.js';
import { SandboxController } from './sandbox.controller.js';

/** Stands in for the platform while there is none: receives the pings, and shows what came of them. */
@Module({
  imports: [SandboxCoreModule],
  controllers: [SandboxController],
  providers: [
    PingReceipt,
    {
      provide: RequestVerifier,
      inject: [ClientRegistry, Settings],
      useFactory: (clients: ClientRegistry, settings: Settings) =>
        new RequestVerifier(clients, settings.CHECKOUT_SCHEME),
    },
  ],
})
export class SandboxModule {}
