import { Module } from '@nestjs/common';
import { PurchaseReader } from './purchase-reader.js';
import { ReadBack } from './read-back.js';
import { ReadQueue } from './read-queue.js';
import { ReceivedPings } from './received-pings.js';

/** The built-in sandbox platform, shared by the api that receives its pings and the worker that reads purchases for it. */
@Module({
  providers: [ReceivedPings, ReadQueue, PurchaseReader, ReadBack],
  exports: [ReceivedPings, ReadQueue, ReadBack],
})
export class SandboxPlatformModule {}
