import { Injectable, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { Caller } from './caller.js';
import { type ProofWay, Proofs } from './people/proofs.js';
import { parseJson } from '#web/json-body.pipe';
import { HttpError } from '#web/http-error';
import { SAFE_METHODS } from '#web/safe-methods';
import type { StaffRequest } from './staff-request.js';

type Targets = Parameters<Reflector['getAllAndOverride']>[1];

/** Whether this request of the route needs a proof. */
type When = (request: StaffRequest, caller: Caller) => boolean;

const FRESH_PROOF = 'fresh proof';

/**
 * A person must have proved within the last 5 minutes who they are, or the route, or each one of a controller that changes something, answers 401
 * (40112): a stolen session must not become the account. Signing in is a proof. Programs are not asked.
 *
 * @example
 * @FreshProof()
 */
export const FreshProof = (when: When = () => true) => SetMetadata(FRESH_PROOF, when);

/** One's own name gives nobody anything. */
export const unlessOwnName: When = ({ params, body }, { actor }) => {
  if (actor !== `operator:${(params as { id: string }).id}`) return true;
  return fieldsOf(body)?.every((field) => field === 'name') !== true;
};

/** Undefined for a body that the route will refuse. */
function fieldsOf(body: unknown): string[] | undefined {
  try {
    return Object.keys(parseJson(body) as object);
  } catch {
    return undefined;
  }
}

const HOW: Readonly<Record<ProofWay, string>> = {
  password: 'send the password to POST /backoffice/v1/session/confirm',
  openid: 'sign in again at GET /backoffice/v1/session/openid?confirm=true',
};

/** Asks people for a fresh proof. */
@Injectable()
export class FreshProofs {
  constructor(private readonly proofs: Proofs) {}

  /** @throws HttpError 40112 that says how to prove it */
  async check(
    caller: Caller,
    request: StaffRequest,
    [reflector, targets]: readonly [Reflector, Targets],
  ): Promise<void> {
    const { provenAt } = caller;
    if (provenAt === undefined || SAFE_METHODS.includes(request.method) || this.proofs.isFresh(provenAt)) return;
    const when = reflector.getAllAndOverride<When | undefined>(FRESH_PROOF, targets);
    if (!when?.(request, caller)) return;
    const ways = await this.proofs.waysOf(caller.actor.replace('operator:', ''));
    throw HttpError.with(40112, ways.map((way) => HOW[way]).join(', or ') || 'ask an administrator for a password');
  }
}
