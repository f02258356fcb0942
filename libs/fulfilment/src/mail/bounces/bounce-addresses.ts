import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '#base/settings';
import { Sealer } from '#base/sealing';

/** The mail whose address it is, or `forged` for an address of the same form that we did not make. */
export type AddressedBounce = Readonly<{ mailId: string }> | 'forged';

// The part before the @ has at most 64 characters. It stays short: the id of a mail has 33 to 40.
const SIGNATURE_BYTES = 8;
const LONGEST_LOCAL_PART = 64;

/**
 * An envelope sender of its own for each mail (VERP). A report comes back to it, so it says which mail it is about although it returns no
 * part of it. Signed: whoever knows the id of a mail cannot say that it came back. In lower case, because servers change the case.
 */
@Injectable()
export class BounceAddresses {
  constructor(
    private readonly settings: Settings,
    private readonly sealer: Sealer,
  ) {}

  /** Undefined without MAIL_BOUNCES_ADDRESS. Then MAIL_FROM is the envelope sender. */
  of(mailId: string): string | undefined {
    const [before, after] = this.settings.MAIL_BOUNCES_ADDRESS?.split('*') ?? [];
    if (before === undefined || after === undefined) return undefined;
    const part = `${mailId.replace('mai_', '')}-${signatureIn(this.sealer.digest('bounce-address', mailId)).toString('hex')}`;
    const address = `${before}${part}${after}`;
    return address.indexOf('@') > LONGEST_LOCAL_PART ? undefined : address;
  }

  /** Of the addresses that a report came to. Undefined if none has the form. */
  read(addresses: readonly string[]): AddressedBounce | undefined {
    const [before, after] = this.settings.MAIL_BOUNCES_ADDRESS?.toLowerCase().split('*') ?? [];
    if (before === undefined || after === undefined) return undefined;
    const parts = addresses
      .map((address) => address.toLowerCase())
      .filter((address) => address.startsWith(before) && address.endsWith(after))
      .map((address) => /^(\w{1,60})-([0-9a-f]{16})$/.exec(address.slice(before.length, -after.length)))
      .filter((found) => found !== null);
    if (parts.length === 0) return undefined;
    const ours = parts.map(([, id = '', hex = '']) => ({ mailId: `mai_${id}`, given: Buffer.from(hex, 'hex') }));
    const signed = ours.find(({ mailId, given }) =>
      this.sealer.digests('bounce-address', mailId).some((digest) => timingSafeEqual(signatureIn(digest), given)),
    );
    return signed ? { mailId: signed.mailId } : 'forged';
  }
}

const signatureIn = (digest: Buffer): Buffer => digest.subarray(0, SIGNATURE_BYTES);
