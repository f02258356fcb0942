import { Module } from '@nestjs/common';
import { PingStreamModule } from './ping-stream.module.js';
import { StaffModule } from '#accounts/staff.module';
import { PingStreamController } from './stream/ping-stream.controller.js';
import { ReaderSharesModule } from './reader-shares.module.js';
import { StreamReading } from './stream/stream-reading.js';
import { StreamGuard } from './stream/stream.guard.js';

/** The stream of all pings. */
@Module({
  imports: [StaffModule, PingStreamModule, ReaderSharesModule],
  controllers: [PingStreamController],
  providers: [StreamGuard, StreamReading],
})
export class StreamApiModule {}
