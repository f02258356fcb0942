import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Pool } from 'pg';
import { onConnectionEnded } from '#database/dead-peer-detector';
import { END_REASONS } from '#database/session-verdict';
import { Metrics } from './metrics.js';

@Injectable()
export class DatabaseMetrics implements OnModuleInit, OnApplicationShutdown {
  private forget: (() => void) | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly pool: Pool,
  ) {}

  onModuleInit(): void {
    const { databaseConnectionsEnded: ended } = this.metrics;
    // A counter that begins with its first count looks as if it had not grown.
    for (const reason of END_REASONS) ended.inc({ reason }, 0);
    this.forget = onConnectionEnded((reason) => ended.inc({ reason }));
    this.metrics.gauge('willcall_database_connections', 'Connections of the pool by use', 'use', async () => {
      const { totalCount, idleCount, waitingCount } = this.pool;
      return { busy: totalCount - idleCount, idle: idleCount, waited_for: waitingCount };
    });
  }

  onApplicationShutdown(): void {
    this.forget?.();
  }
}
