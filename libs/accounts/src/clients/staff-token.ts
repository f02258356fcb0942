import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { bearerTokenIn, hasDigest, tokenDigest } from '#base/token';

/** The setting BACKOFFICE_TOKEN. */
@Injectable()
export class StaffToken {
  readonly #expected: Buffer | undefined;

  /** Without a token it admits nobody. */
  constructor(@Inject(Settings) { BACKOFFICE_TOKEN: token }: Pick<Settings, 'BACKOFFICE_TOKEN'>) {
    this.#expected = token ? tokenDigest(token) : undefined;
  }

  /** Compares digests, so the time depends neither on the tokens' difference nor on their length. */
  admits(authorization: string | undefined): boolean {
    const token = bearerTokenIn(authorization);
    // Node decodes headers as latin1, so encoding as latin1 restores the received bytes.
    return !!token && !!this.#expected && hasDigest(Buffer.from(token, 'latin1'), this.#expected);
  }
}
