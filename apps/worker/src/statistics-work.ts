import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Pool } from 'pg';
import { analyzeGrownTables } from '#database/grown-tables';
import { errorLog } from '#delivery/queues/error-log';
import { Repeater } from '#runtime/repeater';

// A plan for tables as they were is used no longer than that. With nothing to do it is one query of a millisecond.
const LOOK_EVERY_MS = 2_000;

/** Keeps what the planner knows of the tables up with their growth. */
@Injectable()
export class StatisticsWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly repeater: Repeater;

  constructor(pool: Pool) {
    const analyze = async () => void (await analyzeGrownTables(pool));
    this.repeater = new Repeater(analyze, LOOK_EVERY_MS, errorLog('table statistics'));
  }

  onApplicationBootstrap(): void {
    this.repeater.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.repeater.stop();
  }
}
