import { Module } from '@nestjs/common';
import { MoneyTaskWatch } from './tasks/money-task-watch.js';

/** Tasks about money that time brings. */
@Module({ providers: [MoneyTaskWatch], exports: [MoneyTaskWatch] })
export class MoneyTasksModule {}
