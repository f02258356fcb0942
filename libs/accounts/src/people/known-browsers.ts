import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#base/clock';
import { parseJson } from '#base/json';
import { Randomness } from '#base/randomness';

/** How long a browser is known after a sign-in, in seconds. */
export const KNOWN_FOR_S = 180 * 86_400;

/** A browser at a shared desk is known for the last ones who signed in. */
const MOST_OPERATORS = 5;

const ID_BYTES = 16;
const CONTEXT = 'known browser';

const Known = z.array(z.object({ operator: z.string(), browser: z.string(), until: z.number() }));
type Known = z.infer<typeof Known>;

/**
 * Which browsers an operator has signed in with. Such a browser keeps a sealed note, which counts its failures apart: otherwise strangers who guess
 * at a person's password would lock that person out too.
 */
@Injectable()
export class KnownBrowsers {
  constructor(
    private readonly sealer: Sealer,
    private readonly randomness: Randomness,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  /** The id of the browser; undefined if the operator has not signed in with it. @param note what it keeps */
  idOf(note: string | undefined, operatorId: string): string | undefined {
    return this.#opened(note).find(({ operator }) => operator === operatorId)?.browser;
  }

  /** What the browser is to keep after a sign-in of the operator. It keeps its id, so that a copy of the note gives no more tries. */
  noteAfter(operatorId: string, note: string | undefined): string {
    const browser = this.idOf(note, operatorId) ?? this.randomness.bytes(ID_BYTES).toString('hex');
    const others = this.#opened(note).filter(({ operator }) => operator !== operatorId);
    const own = { operator: operatorId, browser, until: this.clock.now() + KNOWN_FOR_S * 1_000 };
    const known: Known = [own, ...others].slice(0, MOST_OPERATORS);
    return this.sealer.seal('known-browser', CONTEXT, Buffer.from(JSON.stringify(known))).toString('base64url');
  }

  #opened(note: string | undefined): Known {
    if (note === undefined) return [];
    try {
      const opened = this.sealer.open('known-browser', CONTEXT, Buffer.from(note, 'base64url'));
      return Known.parse(parseJson(opened.toString())).filter(({ until }) => until > this.clock.now());
    } catch {
      // Changed, or sealed with a key that is gone.
      return [];
    }
  }
}
