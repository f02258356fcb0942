import { Injectable } from '@nestjs/common';
import type { Ping } from '#outbound/ping.contract';
import { type TicketDownload, TicketDownloads } from '#fulfilment/ticket-downloads';
import { PingQueries } from '#outbound/ping-queries';
import { PlatformReads } from '#outbound/platform-reads';
import { type OrderWebhookAttempt, WebhookDeliveries } from '#outbound/webhook-deliveries';
import { padded, type UnnamedEntry } from './entry.js';
import { downloadTitle } from './event-titles.js';

type Attempt = Readonly<{ http_status: number | null; duration_ms: number; error: string | null }>;

/** What was sent to the platform and to webhooks, with each answer, what the platform read, and who downloaded tickets. */
@Injectable()
export class DeliveryEntries {
  constructor(
    private readonly pings: PingQueries,
    private readonly webhooks: WebhookDeliveries,
    private readonly reads: PlatformReads,
    private readonly downloads: TicketDownloads,
  ) {}

  /** @param mayReadDelivery whether the caller may see the receivers of webhooks. */
  async ofOrder(orderId: string, mayReadDelivery: boolean): Promise<UnnamedEntry[]> {
    const [pings, attempts, read, downloads] = await Promise.all([
      this.pings.ofOrder(orderId),
      mayReadDelivery ? this.webhooks.attemptsOfOrder(orderId) : [],
      this.reads.lastOf(orderId),
      this.downloads.ofOrder(orderId),
    ]);
    const readEntry: UnnamedEntry[] = read
      ? [
          {
            at: read.at,
            kind: 'platform_read',
            actor: `platform:${read.client_id}`,
            title: `The platform read version ${read.version} of the order`,
            detail: { version: read.version },
            transaction_id: null,
            order: '',
          },
        ]
      : [];
    return [
      ...pings.flatMap(pingEntries),
      ...attempts.map(webhookEntry),
      ...readEntry,
      ...downloads.map(downloadEntry),
    ];
  }
}

function pingEntries({ id, sequence, state, transaction_id, occurred_at, attempts, ...ping }: Ping): UnnamedEntry[] {
  const common = { actor: 'system', transaction_id };
  return [
    {
      ...common,
      at: occurred_at,
      kind: 'ping',
      title: `Ping to the platform: ${ping.status_message}`,
      detail: { ping_id: id, sequence, state, status_code: ping.status_code },
      order: padded(sequence),
    },
    ...attempts.map(({ started_at, ...attempt }): UnnamedEntry => ({
      ...common,
      at: started_at,
      kind: 'ping_attempt',
      title: attemptTitle('Ping', attempt),
      detail: { ping_id: id, sequence, ...attempt },
      order: `${padded(sequence)} ${padded(attempt.attempt)}`,
    })),
  ];
}

function webhookEntry({ started_at, transaction_id, ...attempt }: OrderWebhookAttempt): UnnamedEntry {
  return {
    at: started_at,
    kind: 'webhook_attempt',
    actor: 'system',
    title: attemptTitle('Webhook', attempt),
    detail: attempt,
    transaction_id,
    order: `${attempt.webhook_id} ${padded(attempt.position)} ${padded(attempt.attempt)}`,
  };
}

function downloadEntry({ id, at, actor, transaction_id, ...detail }: TicketDownload): UnnamedEntry {
  const title = downloadTitle(detail.link);
  // An event may have the same time, and the same number as its version.
  return { at, kind: 'download', actor, title, detail, transaction_id, order: `later ${padded(id)}` };
}

/** For example `Ping delivered, 200 in 41 ms`. An answer of 200 with a wrong body is a failure. */
export function attemptTitle(what: string, { http_status: status, duration_ms: duration, error }: Attempt): string {
  const answer = status === null ? `no answer after ${duration} ms` : `${status} in ${duration} ms`;
  const isDelivered = status !== null && status >= 200 && status < 300 && error === null;
  if (isDelivered) return `${what} delivered, ${answer}`;
  return `${what} failed, ${answer}${error === null ? '' : `: ${error}`}`;
}
