import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import type { Clock } from '#base/clock';

const VALID_FOR_MS = 3_600_000;

export type JobLink = Readonly<{ url: string; expires_at: string }>;

/** Signed links to the files of jobs: whoever has one can fetch that file for an hour, without credentials. */
@Injectable()
export class JobLinks {
  constructor(
    private readonly sealer: Sealer,
    @Inject(DatabaseClock) private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  make(jobId: string): JobLink {
    const expires = this.clock.now() + VALID_FOR_MS;
    const url = new URL(`${this.settings.PUBLIC_URL}/downloads/${jobId}`);
    url.searchParams.set('expires', String(expires));
    url.searchParams.set(
      'signature',
      this.sealer.digest('job-file-link', signedText(jobId, expires)).toString('base64url'),
    );
    return { url: url.href, expires_at: new Date(expires).toISOString() };
  }

  /** @param expires milliseconds since 1970 */
  check(
    jobId: string,
    { expires, signature }: Readonly<{ expires: number; signature: string }>,
  ): 'valid' | 'expired' | 'forged' {
    const given = Buffer.from(signature, 'base64url');
    if (!this.sealer.isDigest('job-file-link', signedText(jobId, expires), given)) return 'forged';
    return expires < this.clock.now() ? 'expired' : 'valid';
  }
}

const signedText = (jobId: string, expires: number) => `${jobId} ${expires}`;
