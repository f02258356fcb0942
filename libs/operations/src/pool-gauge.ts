import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Pool } from 'pg';
import { Metrics } from './metrics.js';

@Injectable()
export class PoolGauge implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly pool: Pool,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('willcall_database_connections', 'Connections of the pool by use', 'use', async () => {
      const { totalCount, idleCount, waitingCount } = this.pool;
      return { busy: totalCount - idleCount, idle: idleCount, waited_for: waitingCount };
    });
  }
}
