import { Inject, Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import { Sealer } from '#base/sealing';
import { DatabaseClock } from '#database/database-clock';
import { Clock } from '#base/clock';
import { parseJson } from '#base/json';
import { OpenIdAccounts } from './openid-accounts.js';
import { type OpenIdPerson, OpenIdProvider, type OpenIdSession } from './openid-provider.js';

const GOOD_FOR_MS = 10 * 60_000;
const CONTEXT = 'sign-in';

// Clocks differ. An earlier sign-in at the provider is no proof.
const PROOF_BEFORE_MS = 60_000;

const Pending = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  until: z.number(),
  /** Set if somebody who is signed in proves who they are. */
  proof: z.object({ session: z.string(), begunAt: z.number() }).optional(),
});
type Pending = z.output<typeof Pending>;

/** `unknown`: the provider knows the person, but they have no access here. `cancelled`: there was no sign-in at the provider. */
export type OpenIdResult =
  | Readonly<{ is: 'signed in'; operatorId: string; next: string; openid: OpenIdSession }>
  /** `session` is the digest of the one for which the proof was begun. */
  | Readonly<{ is: 'proven'; operatorId: string; session: Buffer }>
  | Readonly<{ is: 'unknown' | 'cancelled' | 'failed'; of?: 'sign-in' | 'proof' }>;

/** A sign-in with the OpenID provider. Its state is sealed in a cookie, so any api process can finish it. */
@Injectable()
export class OpenIdSignIn {
  readonly #log = new Logger('OpenIdSignIn');

  constructor(
    private readonly provider: OpenIdProvider,
    private readonly accounts: OpenIdAccounts,
    private readonly sealer: Sealer,
    @Inject(DatabaseClock) private readonly clock: Clock,
  ) {}

  get isConfigured(): boolean {
    return this.provider.isConfigured;
  }

  /**
   * @param next the page to go to afterwards
   * @param provenSession the digest of the session whose person is to prove who they are
   * @returns undefined if the provider does not answer
   */
  async begin(next: string, provenSession?: Buffer): Promise<{ address: string; pending: string } | undefined> {
    const asks = provenSession ? 'always' : 'if needed';
    const begun = await this.provider.begin(asks).catch((error: unknown) => this.#failed(error));
    if (!begun) return undefined;
    const { address, login } = begun;
    const begunAt = this.clock.now();
    const proof = provenSession && { session: provenSession.toString('hex'), begunAt };
    const kept: Pending = { ...login, next, until: begunAt + GOOD_FOR_MS, ...(proof && { proof }) };
    const sealed = this.sealer.seal('openid-login', CONTEXT, Buffer.from(JSON.stringify(kept)));
    return { address, pending: sealed.toString('base64url') };
  }

  /** @param pending what `begin` returned, as the browser kept it */
  async finish(query: string, pending: string | undefined): Promise<OpenIdResult> {
    const login = pending === undefined ? undefined : this.#opened(pending);
    if (!login) return { is: 'failed' };
    const of = login.proof ? 'proof' : 'sign-in';
    if (new URLSearchParams(query).get('error') === 'access_denied') return { is: 'cancelled', of };
    const person = await this.provider.finish(query, login).catch((error: unknown) => this.#failed(error));
    if (!person) return { is: 'failed', of };
    if (login.proof) return await this.#proven(person, login.proof);
    const operatorId = await this.accounts.operatorOf(person);
    if (operatorId === undefined) return { is: 'unknown' };
    const { claims: _, ...openid } = person;
    return { is: 'signed in', operatorId, next: login.next, openid };
  }

  async #proven(person: OpenIdPerson, { session, begunAt }: NonNullable<Pending['proof']>): Promise<OpenIdResult> {
    const { auth_time: seconds } = person.claims;
    if (typeof seconds !== 'number' || seconds * 1_000 < begunAt - PROOF_BEFORE_MS)
      return { is: 'failed', of: 'proof' };
    const operatorId = await this.accounts.knownOperatorOf(person);
    if (operatorId === undefined) return { is: 'unknown', of: 'proof' };
    return { is: 'proven', operatorId, session: Buffer.from(session, 'hex') };
  }

  /** Without the message, which may quote what the provider sent. */
  #failed(error: unknown): undefined {
    const { name, code } = error as { name?: string; code?: string };
    this.#log.warn(`sign-in with the OpenID provider failed: ${code ?? name ?? 'unknown error'}`);
    return undefined;
  }

  #opened(pending: string): Pending | undefined {
    try {
      const opened = this.sealer.open('openid-login', CONTEXT, Buffer.from(pending, 'base64url'));
      const { data } = Pending.safeParse(parseJson(opened.toString()));
      return data && data.until > this.clock.now() ? data : undefined;
    } catch {
      return undefined;
    }
  }
}
