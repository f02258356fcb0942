import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';
import { RecordedRequests } from '#platform/recorded-requests';

const DAY_MS = 86_400_000;

/** Forgets requests after REQUEST_LOG_DAYS. */
@Injectable()
export class RequestPruning {
  constructor(
    private readonly requests: RecordedRequests,
    private readonly settings: Settings,
    private readonly clock: DatabaseClock,
  ) {}

  async run(): Promise<void> {
    const now = (await this.clock.read()).now();
    await this.requests.prune(new Date(now - this.settings.REQUEST_LOG_DAYS * DAY_MS));
  }
}
