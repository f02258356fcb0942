import { Inject, Injectable } from '@nestjs/common';
import { PersonalReads } from '#accounts/personal-reads';
import { callerOf, type StaffRequest } from '#accounts/staff-request';
import type { Clock } from '#base/clock';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import type { TransferRecord } from '#orders/delivery-records';
import { shownTransfer } from '#orders/delivery-view';
import type { Transfer } from '#orders/delivery.contract';
import { HttpError } from '#web/http-error';
import { TicketFiles } from '../tickets/ticket-files.js';

/** Transfers as the caller may see them. */
@Injectable()
export class TransferView {
  constructor(
    private readonly files: TicketFiles,
    private readonly sealer: Sealer,
    private readonly reads: PersonalReads,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  async shown(orderId: string, transfers: readonly TransferRecord[], request: StaffRequest): Promise<Transfer[]> {
    if (transfers.length === 0) return [];
    const order = { id: orderId, key: (await this.files.orderKey(orderId))?.key ?? null };
    const inClear = this.reads.inClear(callerOf(request));
    return transfers.map((transfer) => shownTransfer(this.sealer, order, transfer, inClear));
  }

  /** When something happened that is reported now, ISO 8601. @throws HttpError if that is still to come */
  past(at: string | undefined): string {
    const now = this.clock.iso();
    if (at !== undefined && at > now) throw HttpError.with(40001, 'at must not be later than now');
    return at ?? now;
  }
}
