import { Webhook as Signer } from 'standardwebhooks';
import { request } from 'undici';
import { connectionError, readBody } from '#delivery-kit/http-response';
import { headersOf } from '#delivery-kit/signed-message';
import type { Clock } from '#base/clock';
import { documentOf } from '#event-store/anchor-document';
import type { AnchorTarget } from '#event-store/anchoring';
import type { SignedHead } from '#event-store/signed-heads';

export type AnchorWebhookOptions = Readonly<{ url: string; secret: string; clock: Clock }>;

// The process waits for it when it stops.
const TIMEOUT_MS = 5_000;
const ANSWER_MAX_BYTES = 64 * 1024;
const ID_DIGITS = 32;

/**
 * Posts signed heads to a receiver (Standard Webhooks 1.0, type `ledger.anchor`). Its address is a setting and not a subscription, because whoever
 * owns the database could change a subscription.
 */
export class AnchorWebhook implements AnchorTarget {
  readonly place = 'webhook';
  readonly #signer: Signer;

  constructor(private readonly options: AnchorWebhookOptions) {
    this.#signer = new Signer(options.secret);
  }

  /** @throws if the receiver did not answer 2xx. Does not follow redirects. */
  async append(anchor: SignedHead): Promise<void> {
    const { url, clock } = this.options;
    // No two different heads have the same signature.
    const id = `anc_${anchor.mac.toString('hex').slice(-ID_DIGITS)}`;
    const body = JSON.stringify({ type: 'ledger.anchor', timestamp: anchor.at, data: documentOf(anchor) });
    const headers = headersOf({ id, body }, [this.#signer], clock.now());
    const status = await post(url, headers, body).catch((error: unknown) => {
      throw new Error(`LEDGER_ANCHOR_URL: ${connectionError(error, TIMEOUT_MS)}`);
    });
    if (status < 200 || status > 299) throw new Error(`LEDGER_ANCHOR_URL: the receiver answered ${status}`);
  }
}

async function post(url: string, headers: Record<string, string>, body: string): Promise<number> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await request(url, { method: 'POST', headers, body, signal, reset: true });
  await readBody(answer.body, ANSWER_MAX_BYTES);
  return answer.statusCode;
}
