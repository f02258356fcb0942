import { Module } from '@nestjs/common';
import { PingStreamModule } from '#ping-stream/ping-stream.module';
import { StreamTokensController } from '../backoffice/stream-tokens.controller.js';
import { StaffModule } from '../people/staff.module.js';
import { PingStreamController } from './ping-stream.controller.js';
import { ReaderSharesModule } from './reader-shares.module.js';
import { StreamReading } from './stream-reading.js';
import { StreamGuard } from './stream.guard.js';

/** The stream of all pings, and the tokens of its readers. */
@Module({
  imports: [StaffModule, PingStreamModule, ReaderSharesModule],
  controllers: [PingStreamController, StreamTokensController],
  providers: [StreamGuard, StreamReading],
})
export class StreamApiModule {}
