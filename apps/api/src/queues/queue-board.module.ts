import { Module } from '@nestjs/common';
import { StaffModule } from '#accounts/staff.module';
import { QueueBoardController } from './queue-board.controller.js';
import { QueueBoard } from './queue-board.js';

@Module({ imports: [StaffModule], controllers: [QueueBoardController], providers: [QueueBoard] })
export class QueueBoardModule {}
