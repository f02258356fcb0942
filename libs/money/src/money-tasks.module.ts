import { Module } from '@nestjs/common';
import { MoneyGauges } from './tasks/money-gauges.js';
import { MoneyTaskWatch } from './tasks/money-task-watch.js';

/** Tasks about money that time brings, and what monitoring sees of money. */
@Module({ providers: [MoneyTaskWatch, MoneyGauges], exports: [MoneyTaskWatch] })
export class MoneyTasksModule {}
