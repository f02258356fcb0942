import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Pool } from 'pg';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import { poolActivity } from '#database/pool-activity';
import { Liveness } from './liveness.js';
import { Repeater } from '#base/repeater';

const CHECK_EVERY_MS = 5_000;
const POOL_ANSWERS_WITHIN_MS = 30_000;

@Injectable()
export class LivenessProbes implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly checks: Repeater;

  constructor(liveness: Liveness, pool: Pool, @Inject(LazyCommitPool) lazyPool: Pool) {
    // A check does not throw.
    this.checks = new Repeater(
      () => liveness.check(),
      { everyMs: CHECK_EVERY_MS },
      () => undefined,
    );
    liveness.watch({ name: 'connection pool', progress: poolActivity(pool), withinMs: POOL_ANSWERS_WITHIN_MS });
    liveness.watch({
      name: 'pool of lazy commits',
      progress: poolActivity(lazyPool),
      withinMs: POOL_ANSWERS_WITHIN_MS,
    });
  }

  onApplicationBootstrap(): void {
    this.checks.start();
  }

  // A stopped part makes no progress.
  beforeApplicationShutdown(): void {
    void this.checks.stop();
  }
}
