import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { Settings } from '#base/settings';
import { InvalidValue, Overloaded } from '#base/caller-errors';

// OWASP's password storage cheat sheet: argon2id, which is the library's default, with 19 MiB, two passes, one lane.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Hashes run in libuv's pool of four threads. File system and DNS calls need the others.
const AT_ONCE = 2;

// A hash takes 20 to 50 ms, so the last one waits less than a second. More would only wait in vain, and keep others waiting.
const MOST_WAITING = 32;

export class PasswordsBusy extends Overloaded {
  constructor() {
    super('too many passwords wait to be hashed');
  }
}

/** Nothing was hashed. The message says how long a password must be. */
export class PasswordTooShort extends InvalidValue {
  constructor(least: number) {
    super('password', `must have at least ${least} characters`);
  }
}

/** Hashes of the passwords of operators (argon2id, in the PHC string format). */
@Injectable()
export class Passwords {
  private readonly limit = pLimit(AT_ONCE);
  private unknown: Promise<string> | undefined;

  constructor(private readonly settings: Settings) {}

  /** Of a new password. @throws PasswordTooShort, PasswordsBusy */
  async hash(password: string): Promise<string> {
    const least = this.settings.PASSWORD_MIN_LENGTH;
    // In code points, as NIST SP 800-63B counts: an emoji is one character.
    if (Array.from(password).length < least) throw new PasswordTooShort(least);
    return await this.#queued(() => hash(password, OPTIONS));
  }

  /** `stored` is undefined if the person does not exist or has no password. That takes as long, and gives false. @throws PasswordsBusy */
  async matches(password: string, stored: string | undefined): Promise<boolean> {
    const isEqual = await this.#queued(async () => verify(stored ?? (await this.#ofNobody()), password));
    return isEqual && stored !== undefined;
  }

  /** Not queued: it is made within a place of the queue, and once. */
  #ofNobody(): Promise<string> {
    return (this.unknown ??= hash('nobody has this password', OPTIONS));
  }

  async #queued<T>(work: () => Promise<T>): Promise<T> {
    if (this.limit.pendingCount >= MOST_WAITING) throw new PasswordsBusy();
    return await this.limit(work);
  }
}
