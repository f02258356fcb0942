import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#config/settings';
import { Sealer } from '#crypto/sealing';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#runtime/clock';
import { Ids } from '#runtime/ids';

/** The query of a link's address. `expires` is in seconds since 1970. */
export type LinkQuery = Readonly<{ expires: string; link: string; signature: string }>;

/** Signed addresses that open one file without a credential, for a while. Nothing is stored about them. */
@Injectable()
export class TicketLinks {
  constructor(
    private readonly sealer: Sealer,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly settings: Settings,
  ) {}

  create(ticketId: string, minutes: number): Readonly<{ url: string; expires_at: string; id: string }> {
    const id = this.ids.next('lnk');
    const expires = Math.floor(this.clock.now() / 1_000) + minutes * 60;
    const signature = this.sealer
      .digest('ticket-link', signedText(ticketId, id, String(expires)))
      .toString('base64url');
    const query = new URLSearchParams({ expires: String(expires), link: id, signature });
    const url = `${this.settings.PUBLIC_URL}/tickets/${ticketId}?${query.toString()}`;
    return { id, url, expires_at: new Date(expires * 1_000).toISOString() };
  }

  check(ticketId: string, { expires, link, signature }: LinkQuery): 'valid' | 'expired' | 'forged' {
    const given = Buffer.from(signature, 'base64url');
    if (!this.sealer.isDigest('ticket-link', signedText(ticketId, link, expires), given)) return 'forged';
    return Number(expires) * 1_000 > this.clock.now() ? 'valid' : 'expired';
  }
}

const signedText = (ticketId: string, link: string, expires: string) => JSON.stringify([ticketId, link, expires]);
