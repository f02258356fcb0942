import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

// OWASP's password storage cheat sheet: argon2id, which is the library's default, with 19 MiB, two passes, one lane.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Hashes run in libuv's pool of four threads. File system and DNS calls need the others.
const AT_ONCE = 2;

/** Hashes of the passwords of operators (argon2id, in the PHC string format). */
export class Passwords {
  private readonly limit = pLimit(AT_ONCE);
  private unknown: Promise<string> | undefined;

  hash(password: string): Promise<string> {
    return this.limit(() => hash(password, OPTIONS));
  }

  /** `stored` is undefined if the person does not exist or has no password. That takes as long, and gives false. */
  async matches(password: string, stored: string | undefined): Promise<boolean> {
    const compared = stored ?? (await (this.unknown ??= this.hash('nobody has this password')));
    const isEqual = await this.limit(() => verify(compared, password));
    return isEqual && stored !== undefined;
  }
}
