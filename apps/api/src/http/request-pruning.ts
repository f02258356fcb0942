import { Injectable } from '@nestjs/common';
import { Settings } from '#config/settings';
import { RecordedRequests } from '#operations/recorded-requests';
import { Clock } from '#runtime/clock';

const DAY_MS = 86_400_000;

/** Forgets requests after REQUEST_LOG_DAYS. */
@Injectable()
export class RequestPruning {
  constructor(
    private readonly requests: RecordedRequests,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    await this.requests.prune(new Date(this.clock.now() - this.settings.REQUEST_LOG_DAYS * DAY_MS));
  }
}
