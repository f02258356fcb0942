import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#base/clock';
import { Ids } from '#base/ids';

/** The query of a link's address. `expires` is in seconds since 1970. */
export type LinkQuery = Readonly<{ expires: string; link: string; signature: string; by?: string | undefined }>;

/** Signed addresses that open one file without a credential, for a while. Nothing is stored about them. */
@Injectable()
export class TicketLinks {
  constructor(
    private readonly sealer: Sealer,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly settings: Settings,
  ) {}

  /** @param maker the actor with whom the link ends; whom the buyer's address need not name. None for links of ours */
  create(ticketId: string, minutes: number, maker?: string): Readonly<{ url: string; expires_at: string; id: string }> {
    const id = this.ids.next('lnk');
    const expires = Math.floor(this.clock.now() / 1_000) + minutes * 60;
    const by =
      maker === undefined ? undefined : this.sealer.seal('ticket-link', id, Buffer.from(maker)).toString('base64url');
    const text = signedText(ticketId, { link: id, expires: String(expires), by });
    const signature = this.sealer.digest('ticket-link', text).toString('base64url');
    const query = new URLSearchParams({
      expires: String(expires),
      link: id,
      ...(by !== undefined && { by }),
      signature,
    });
    const url = `${this.settings.PUBLIC_URL}/tickets/${ticketId}?${query.toString()}`;
    return { id, url, expires_at: new Date(expires * 1_000).toISOString() };
  }

  check(ticketId: string, query: LinkQuery): 'valid' | 'expired' | 'forged' {
    const given = Buffer.from(query.signature, 'base64url');
    if (!this.sealer.isDigest('ticket-link', signedText(ticketId, query), given)) return 'forged';
    return Number(query.expires) * 1_000 > this.clock.now() ? 'valid' : 'expired';
  }

  /** The maker of a link that was found valid. */
  makerOf({ link, by }: LinkQuery): string | undefined {
    return by === undefined
      ? undefined
      : this.sealer.open('ticket-link', link, Buffer.from(by, 'base64url')).toString();
  }
}

/** Links of earlier releases name no maker. */
const signedText = (ticketId: string, { link, expires, by }: Omit<LinkQuery, 'signature'>) =>
  JSON.stringify([ticketId, link, expires, ...(by === undefined ? [] : [by])]);
