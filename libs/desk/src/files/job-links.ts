import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';

const VALID_FOR_MS = 3_600_000;

export type JobLink = Readonly<{ url: string; expires_at: string }>;

/** `expires` in milliseconds since 1970; `by` is the sealed maker, missing in links of earlier releases. */
type LinkQuery = Readonly<{ expires: number; by?: string | undefined; signature: string }>;

/** Signed links to the files of jobs: whoever has one can fetch that file for an hour, without credentials, as long as its maker could. */
@Injectable()
export class JobLinks {
  constructor(
    private readonly sealer: Sealer,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** @param maker the actor with whom the link ends; whom others see the address need not name */
  make(jobId: string, maker: string): JobLink {
    const expires = this.clock.now() + VALID_FOR_MS;
    const by = this.sealer.seal(PURPOSE, jobId, Buffer.from(maker)).toString('base64url');
    const signature = this.sealer.digest(PURPOSE, signedText(jobId, { expires, by })).toString('base64url');
    const query = new URLSearchParams({ expires: String(expires), by, signature });
    const url = `${this.settings.PUBLIC_URL}/downloads/${jobId}?${query.toString()}`;
    return { url, expires_at: new Date(expires).toISOString() };
  }

  check(jobId: string, query: LinkQuery): 'valid' | 'expired' | 'forged' {
    const given = Buffer.from(query.signature, 'base64url');
    if (!this.sealer.isDigest(PURPOSE, signedText(jobId, query), given)) return 'forged';
    return query.expires < this.clock.now() ? 'expired' : 'valid';
  }

  /** The maker of a link that was found valid. */
  makerOf(jobId: string, { by }: LinkQuery): string | undefined {
    return by === undefined ? undefined : this.sealer.open(PURPOSE, jobId, Buffer.from(by, 'base64url')).toString();
  }
}

const PURPOSE = 'job-file-link';

const signedText = (jobId: string, { expires, by }: Omit<LinkQuery, 'signature'>) =>
  by === undefined ? `${jobId} ${expires}` : `${jobId} ${expires} ${by}`;
