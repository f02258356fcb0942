import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#base/clock';
import { HttpError } from '#web/http-error';

const DAY_MS = 86_400_000;

/** When a new token ends. */
@Injectable()
export class TokenTerms {
  constructor(
    private readonly settings: Settings,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  get days(): number {
    return this.settings.TOKEN_DAYS;
  }

  /** @param given `expires_at` of the request: undefined is the usual term, null no end. @throws HttpError 40001 for the past */
  endOf(given: string | null | undefined): Date | null {
    if (given === null) return null;
    const now = this.clock.now();
    const end = given === undefined ? now + this.days * DAY_MS : Date.parse(given);
    if (end <= now) throw HttpError.with(40001, 'expires_at must be in the future');
    return new Date(end);
  }
}
