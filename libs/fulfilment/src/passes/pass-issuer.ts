import { Injectable } from '@nestjs/common';
import { Sealer } from '#base/sealing';
import { Settings } from '#base/settings';
import type { PassIdentity } from './pass-content.js';

/** One seat of an order. */
export type PassSeat = Readonly<{ orderId: string; seat: string }>;

const SERIAL = /^(\w{1,64})\.([\w-]{1,1400})$/;

/** Who issues passes here, and by what a phone proves that it has one. Nothing of that is stored. */
@Injectable()
export class PassIssuer {
  constructor(
    private readonly sealer: Sealer,
    private readonly settings: Settings,
  ) {}

  /** Undefined if no certificate is set. */
  get typeId(): string | undefined {
    return this.settings.PASS_TYPE_ID;
  }

  serialOf({ orderId, seat }: PassSeat): string {
    return `${orderId}.${Buffer.from(seat).toString('base64url')}`;
  }

  /** @param serial of a pass whose token was checked */
  seatOf(serial: string): PassSeat | undefined {
    const [, orderId, seat] = SERIAL.exec(serial) ?? [];
    return orderId === undefined || seat === undefined
      ? undefined
      : { orderId, seat: Buffer.from(seat, 'base64url').toString() };
  }

  isToken(serial: string, given: string): boolean {
    return this.sealer.isDigest('pass-token', serial, Buffer.from(given, 'base64url'));
  }

  /** @throws Error if no certificate is set */
  identityOf(seat: PassSeat): PassIdentity {
    const { PASS_TYPE_ID: typeId, PASS_TEAM_ID: team, PUBLIC_URL: url, REQUIRE_HTTPS: needsHttps } = this.settings;
    if (typeId === undefined || team === undefined) throw new Error('No certificate for passes is set.');
    const serialNumber = this.serialOf(seat);
    return {
      passTypeIdentifier: typeId,
      teamIdentifier: team,
      organizationName: nameIn(this.settings.MAIL_FROM) ?? new URL(url).hostname,
      serialNumber,
      authenticationToken: this.sealer.digest('pass-token', serialNumber).toString('base64url'),
      // A phone asks an http address only if its developer mode allows that. In the demo there is no other. passkit-generator takes no IPv6.
      ...((url.startsWith('https:') || !needsHttps) && !url.includes('//[') && { webServiceURL: `${url}/passes/` }),
    };
  }
}

/** `Acme` of `Acme <tickets@acme.example>`. */
function nameIn(sender: string): string | undefined {
  return /^\s*"?([^"<]*[^"<\s])"?\s*</.exec(sender)?.[1];
}
