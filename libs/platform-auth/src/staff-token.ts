import { Inject, Injectable } from '@nestjs/common';
import { Settings } from '#config/settings';
import { hasDigest, tokenDigest } from '#crypto/token';

/** The check of `Authorization: Bearer <token>` against the setting BACKOFFICE_TOKEN. */
@Injectable()
export class StaffToken {
  readonly #expected: Buffer | undefined;

  /** Without a token nobody gets in. */
  constructor(@Inject(Settings) { BACKOFFICE_TOKEN: token }: Pick<Settings, 'BACKOFFICE_TOKEN'>) {
    this.#expected = token ? tokenDigest(token) : undefined;
  }

  /** Takes equally long wherever the two tokens differ, and however long they are: digests are compared. */
  admits(authorization: string | undefined): boolean {
    const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    // Node reads headers as latin1: only that gives the received bytes back.
    return !!token && !!this.#expected && hasDigest(Buffer.from(token, 'latin1'), this.#expected);
  }
}
