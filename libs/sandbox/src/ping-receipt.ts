import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Settings } from '#base/settings';
import { describeIssues } from '#web/issues.contract';
import { PingAddress } from './received-ping.contract.js';
import { readJob } from './read-back.js';
import { ReadQueue } from './read-queue.js';
import { ReceivedPings } from './received-pings.js';
import { RequestVerifier } from '#accounts/verify-request';
import { HttpError } from '#web/http-error';
import { transactionHeader, transactionOf } from '#web/transaction';

// If the queue is unreachable, the sender should not wait for its long backoff.
const RETRY_AFTER_S = '5';

/** Receives a ping as the platform would: the sender may forget it only after we have stored it. */
@Injectable()
export class PingReceipt {
  constructor(
    private readonly verifier: RequestVerifier,
    private readonly pings: ReceivedPings,
    private readonly reads: ReadQueue,
    private readonly settings: Settings,
  ) {}

  /** @returns the id of the order. */
  async take(request: FastifyRequest, address: unknown): Promise<string> {
    const clientId = await this.signer(request);
    const ping = PingAddress.safeParse(address);
    if (clientId === null) {
      // Someone who sets up a platform should see that a ping arrived with a wrong signature.
      if (ping.success) await this.record(request, ping.data, null);
      throw HttpError.with(40100, undefined, { 'www-authenticate': this.settings.CHECKOUT_SCHEME });
    }
    if (!ping.success) throw HttpError.with(40001, describeIssues(ping.error.issues));
    await this.queueRead(await this.record(request, ping.data, clientId));
    return ping.data.order_id;
  }

  private async signer({ raw, originalUrl, body }: FastifyRequest): Promise<string | null> {
    const { method = '', rawHeaders } = raw;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    const client = await this.verifier.verify({ method, rawUrl: originalUrl, rawHeaders, body: bytes });
    return client?.clientId ?? null;
  }

  private record(request: FastifyRequest, { order_id, ref_id }: PingAddress, clientId: string | null): Promise<number> {
    const transaction = transactionOf(request, transactionHeader(this.settings.CHECKOUT_SCHEME));
    const transactionId = transaction.ours ? null : transaction.id;
    return this.pings.record({ orderId: order_id, refId: ref_id ?? null, transactionId, clientId });
  }

  private async queueRead(pingId: number): Promise<void> {
    try {
      await this.reads.add([readJob({ pingId, read: 1 })]);
    } catch {
      await this.pings.forget(pingId);
      throw HttpError.with(50300, 'the queue cannot be reached', { 'retry-after': RETRY_AFTER_S });
    }
  }
}
