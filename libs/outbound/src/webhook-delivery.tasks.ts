import { Settings } from '#base/settings';
import { connectionConfig } from '#database/pool';
import { queueTask } from '#delivery-kit/queue-task';
import type { BackgroundTask, TaskContext } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { ChannelListener } from './stream/channel-listener.js';
import { PING_STREAM_CHANNEL } from './ping-stream.projection.js';
import { WebhookScheduler } from './webhook-scheduler.js';
import { WebhookDelivery } from './webhooks/webhook-delivery.js';
import { WebhookSweep } from './webhooks/webhook-sweep.js';

export const WEBHOOK_DELIVERY_TASKS: readonly BackgroundTask[] = [
  queueTask({
    name: 'webhooks',
    does: 'Sends the due deliveries of a webhook, several orders side by side.',
    seen: '`willcall_webhook_attempts_total`; `willcall webhooks list`',
    queue: 'webhooks',
    concurrency: 'WEBHOOK_CONCURRENCY',
    processor: WebhookDelivery,
    scheduler: WebhookScheduler,
  }),
  repeatedTask({
    name: 'webhook sweep',
    does: 'Adds the jobs of webhooks with something due that have none: retries, lost jobs, everything after Redis was emptied.',
    seen: '`willcall_oldest_pending_webhook_seconds`',
    everyMs: 'SWEEP_EVERY_MS',
    handler: WebhookSweep,
    run: (sweep) => sweep.sweep(),
    vital: true,
  }),
  {
    name: 'webhook schedule',
    does: 'Adds a job to the queue `webhooks` for each webhook that has not seen all of the ping stream.',
    seen: '`willcall_webhook_queue_jobs`',
    schedule: `a notification of the channel \`${PING_STREAM_CHANNEL}\``,
    concurrency: 'one query in each process',
    open: listener,
  },
];

function listener({ get, onError, timed }: TaskContext): ChannelListener {
  const scheduler = get(WebhookScheduler);
  const { DATABASE_URL: databaseUrl = '' } = get(Settings);
  return new ChannelListener({
    connection: connectionConfig({ databaseUrl, applicationName: 'willcall webhook wake-up' }),
    channel: PING_STREAM_CHANNEL,
    onNotification: () => void timed(() => scheduler.grown()).catch(onError),
    onError,
  });
}
