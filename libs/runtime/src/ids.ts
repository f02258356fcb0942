import { uuidv7 } from 'uuidv7';

/**
 * `ord` an order, `evt` an event, `att` an attempt at a ping, `req` a request that came without a transaction id,
 * `cli` a platform client, `sec` a secret of one or of a webhook, `whk` a webhook, `tst` a message that tries one out,
 * `stk` a token that the ping stream is read with, `rpl` a replay.
 */
export type IdPrefix = 'ord' | 'evt' | 'att' | 'req' | 'cli' | 'sec' | 'whk' | 'tst' | 'stk' | 'rpl';

/** The source of identifiers: a prefix that says what is named, and a time-ordered part (RFC 9562, version 7). */
export abstract class Ids {
  abstract next<P extends IdPrefix>(prefix: P): `${P}_${string}`;
}

export class TimeOrderedIds extends Ids {
  next<P extends IdPrefix>(prefix: P): `${P}_${string}` {
    return `${prefix}_${uuidv7().replaceAll('-', '')}`;
  }
}
