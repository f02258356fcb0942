import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import type { ReportSchedule } from '../report-subscription.contract.js';
import { Sealer } from '#base/sealing';
import type { ReportPeriod } from './report-period.js';

/** Whose subscription, and to which reports. */
export type Subscription = Readonly<{ operatorId: string; schedule: ReportSchedule }>;

/** The addresses in a report. Nothing is stored about them. */
@Injectable()
export class ReportLinks {
  constructor(
    private readonly sealer: Sealer,
    private readonly settings: Settings,
  ) {}

  /** The page with the same period. */
  page({ days }: Pick<ReportPeriod, 'days'>): string {
    return `${this.settings.PUBLIC_URL}/reports?from=${days[0]}&to=${days.at(-1)}`;
  }

  /** Ends the subscription without a session. Does not expire: an e-mail may be read years later. */
  unsubscribe({ operatorId, schedule }: Subscription): string {
    const signature = this.sealer.digest('unsubscribe-link', signedText({ operatorId, schedule }));
    return `${this.settings.PUBLIC_URL}/unsubscribe/${operatorId}/${schedule}?signature=${signature.toString('base64url')}`;
  }

  isSigned(subscription: Subscription, signature: string): boolean {
    return this.sealer.isDigest('unsubscribe-link', signedText(subscription), Buffer.from(signature, 'base64url'));
  }
}

const signedText = ({ operatorId, schedule }: Subscription) => JSON.stringify([operatorId, schedule]);
