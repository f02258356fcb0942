import { Module } from '@nestjs/common';
import { StaffModule } from '#accounts/staff.module';
import { PingStreamModule } from './ping-stream.module.js';
import { StreamTokensController } from './stream/stream-tokens.controller.js';

/** The tokens of the stream's readers, for staff. */
@Module({ imports: [StaffModule, PingStreamModule], controllers: [StreamTokensController] })
export class StreamTokensApiModule {}
