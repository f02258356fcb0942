import { UUID } from 'uuidv7';
import { Clock } from '#base/clock';
import { type IdPrefix, Ids } from '#base/ids';
import type { Randomness } from '#base/randomness';

/** A clock that is set to the past, one event after the other. */
export class SampleClock extends Clock {
  #now = 0;

  now(): number {
    return this.#now;
  }

  set(ms: number): void {
    this.#now = ms;
  }
}

/** Ids as of the time of `clock`, so that a list by id is a list by time. */
export class SampleIds extends Ids {
  constructor(
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {
    super();
  }

  next<P extends IdPrefix>(prefix: P): `${P}_${string}` {
    const bytes = this.randomness.bytes(10);
    const fields = [
      bytes.readUInt16BE(0) & 0xf_ff,
      bytes.readUInt32BE(2) & 0x3f_ff_ff_ff,
      bytes.readUInt32BE(6),
    ] as const;
    return `${prefix}_${UUID.fromFieldsV7(this.clock.now(), ...fields).toHex()}`;
  }
}
