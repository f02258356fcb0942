import { Module } from '@nestjs/common';
import { ClientsModule } from '#accounts/clients.module';
import { PurchaseReader } from './purchase-reader.js';
import { ReadBack } from './read-back.js';
import { ReadQueue } from './read-queue.js';
import { ReceivedPings } from './received-pings.js';

/** The api receives its pings, and the worker reads the purchases. */
@Module({
  imports: [ClientsModule],
  providers: [ReceivedPings, ReadQueue, PurchaseReader, ReadBack],
  exports: [ReceivedPings, ReadQueue, ReadBack],
})
export class SandboxPlatformModule {}
