import { V7Generator } from 'uuidv7';
import { type Randomness, SystemRandomness } from './randomness.js';

/**
 * `ord` an order, `evt` an event, `att` a ping attempt, `req` a request without a transaction id, `cli` a platform client, `sec` a
 * secret of a client or a webhook, `whk` a webhook, `tst` a webhook test message, `stk` a ping stream token, `rpl` a replay, `opr` an
 * operator, `tok` an API token, `aud` an entry of the audit log, `not` a note on an order, `viw` a saved view, `mac` a macro, `run` a run of
 * maintenance, `job` a job on many orders, `tkt` a file of tickets, `lnk` a link to one, `mai` an e-mail, `esc` a
 * notice of escalated orders, `rf` a refund, `dp` a dispute, `tsk` a task about money, `rec` a reconciliation, `spy` a payment to a seller, `tra` a transfer of a
 * seat, `prf` a file that proves one, `lbl` the label of a parcel.
 */
export type IdPrefix =
  | 'ord'
  | 'evt'
  | 'att'
  | 'req'
  | 'cli'
  | 'que'
  | 'sec'
  | 'whk'
  | 'tst'
  | 'stk'
  | 'rpl'
  | 'opr'
  | 'tok'
  | 'aud'
  | 'not'
  | 'viw'
  | 'mac'
  | 'run'
  | 'job'
  | 'tkt'
  | 'lnk'
  | 'mai'
  | 'pol'
  | 'frd'
  | 'esc'
  | 'inm'
  | 'rf'
  | 'dp'
  | 'tsk'
  | 'rec'
  | 'spy'
  | 'tra'
  | 'prf'
  | 'lbl';

/**
 * A prefix for the kind and a time-ordered UUID (RFC 9562): version 7, and for orders version 8, which is the same with the number of
 * the cell that made it in the 25th and 26th of its 32 digits.
 */
export abstract class Ids {
  abstract next<P extends IdPrefix>(prefix: P): `${P}_${string}`;
}

export class TimeOrderedIds extends Ids {
  readonly #uuids: V7Generator;

  readonly #cell: string;

  /** `cell` is from 0 to 255. */
  constructor(randomness: Randomness = new SystemRandomness(), cell = 0) {
    super();
    this.#cell = cell.toString(16).padStart(2, '0');
    // Every request has an id. The library's own pool of 8 words calls the system's generator for every fifth id, which was a twentieth
    // of a request's processor time.
    this.#uuids = new V7Generator({ nextUint32: () => randomness.bytes(4).readUInt32LE() });
  }

  next<P extends IdPrefix>(prefix: P): `${P}_${string}` {
    const hex = this.#uuids.generate().toHex();
    return `${prefix}_${prefix === 'ord' ? this.#inCell(hex) : hex}`;
  }

  /** The counter that keeps ids of one millisecond in order ends before these digits, and the last six stay random: people type them. */
  #inCell(hex: string): string {
    return `${hex.slice(0, 12)}8${hex.slice(13, 24)}${this.#cell}${hex.slice(26)}`;
  }
}
