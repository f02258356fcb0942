import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Pool } from 'pg';
import { LazyCommitPool } from '#database/lazy-commit-pool';
import { poolActivity } from '#database/pool-activity';
import { Liveness } from './liveness.js';
import { Repeater } from '#runtime/repeater';

const LOOK_EVERY_MS = 5_000;
const POOL_ANSWERS_WITHIN_MS = 30_000;

/** Looks every few seconds whether this process can still work; its pools are parts of it in every process. */
@Injectable()
export class LivenessProbes implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly looks: Repeater;

  constructor(liveness: Liveness, pool: Pool, @Inject(LazyCommitPool) lazyPool: Pool) {
    // A look does not throw.
    this.looks = new Repeater(
      () => liveness.look(),
      LOOK_EVERY_MS,
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
    this.looks.start();
  }

  // A part that was told to stop takes no more turns.
  beforeApplicationShutdown(): void {
    void this.looks.stop();
  }
}
