import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import type { Marketplace } from './marketplace.js';
import type { Service } from './service.js';
import { SideProcess } from './side-process.js';
import type { SeenWebhooks, WebhookReceiverRequest } from './webhook-receiver.process.js';

const STAFF_TOKEN = randomBytes(16).toString('hex');

/** Settings with which api and worker allow receivers on this machine. */
export const WEBHOOK_ENVIRONMENT = { WEBHOOK_ALLOW_PRIVATE: 'true', BACKOFFICE_TOKEN: STAFF_TOKEN };

/** Receives webhooks: a bare HTTP server in its own process that answers at once, or never for paths below /hangs. */
export class WebhookReceivers {
  private constructor(
    private readonly process: SideProcess<WebhookReceiverRequest, SeenWebhooks>,
    readonly url: string,
  ) {}

  static async start(): Promise<WebhookReceivers> {
    const process = new SideProcess<WebhookReceiverRequest, SeenWebhooks>('setup/webhook-receiver.process.js');
    const { port } = await process.run({ forget: true, webhooks: 0 });
    return new WebhookReceivers(process, `http://127.0.0.1:${port}`);
  }

  async forget(): Promise<void> {
    await this.process.run({ forget: true, webhooks: 0 });
  }

  /** Waits until so many webhooks have arrived since the last `forget`. */
  async taken(webhooks: number): Promise<SeenWebhooks> {
    return await this.process.run({ forget: false, webhooks });
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }
}

/** Calls the back office as staff. */
export async function asStaff(api: Service, method: 'POST' | 'PATCH', path: string, body?: object): Promise<unknown> {
  const answer = await request(`http://127.0.0.1:${api.port}/backoffice/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${STAFF_TOKEN}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (answer.statusCode >= 300)
    throw new Error(`${path} was answered ${answer.statusCode}: ${await answer.body.text()}`);
  return await answer.body.json();
}

/** Creates webhooks to the paths /1, /2 … of the receivers; returns their ids. */
export async function subscribe(api: Service, receivers: WebhookReceivers, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const terms = { url: `${receivers.url}/${number}`, rate_per_second: 10_000 };
    ids.push(((await asStaff(api, 'POST', 'webhooks', terms)) as { id: string }).id);
  }
  return ids;
}

export async function pendingWebhooks({ database }: Marketplace): Promise<number> {
  const { rows } = await database.owner.query<{ pending: number }>(
    `select count(*)::int as pending from webhook_deliveries where state = 'pending'`,
  );
  return rows[0]?.pending ?? 0;
}
