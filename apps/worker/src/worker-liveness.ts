import { Injectable } from '@nestjs/common';
import { Liveness } from '#operations/liveness';
import { DeadlineWork } from './deadline-work.js';
import { FeedWork } from './feed-work.js';
import { PingWork } from './ping-work.js';
import { WebhookWork } from './webhook-work.js';

const TURN_WITHIN_MS = 60_000;

/** What `live` looks at in a worker beside the connection pools: the loops without which nothing is delivered. */
@Injectable()
export class WorkerLiveness {
  constructor(liveness: Liveness, feed: FeedWork, pings: PingWork, webhooks: WebhookWork, deadlines: DeadlineWork) {
    for (const { loops, pauseMs } of [feed, pings, webhooks, deadlines]) {
      const withinMs = TURN_WITHIN_MS + pauseMs;
      for (const [name, loop] of Object.entries(loops)) liveness.watch({ name, turns: () => loop.turns, withinMs });
    }
  }
}
