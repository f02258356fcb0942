import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { Pool } from 'pg';
import { Repeater } from '#base/repeater';
import { DatabaseEpoch } from '#database/epoch';
import { poolOnlyReads } from '#database/session';

const FOLLOW_EVERY_MS = 1_000;

/** Keeps the epoch up to date in a process that only reads: its connections to a standby outlive a failover of the primary. */
@Injectable()
export class FollowedEpoch implements OnModuleInit, BeforeApplicationShutdown {
  private readonly repeater: Repeater;

  constructor(
    private readonly pool: Pool,
    private readonly epoch: DatabaseEpoch,
  ) {
    // Requests and the health check report a database that does not answer.
    const ignore = () => undefined;
    this.repeater = new Repeater(() => this.follow(), { everyMs: FOLLOW_EVERY_MS }, ignore);
  }

  onModuleInit(): void {
    if (poolOnlyReads(this.pool)) this.repeater.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.repeater.stop();
  }

  private async follow(): Promise<void> {
    const client = await this.pool.connect();
    try {
      await this.epoch.follow(client);
      client.release();
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  }
}
