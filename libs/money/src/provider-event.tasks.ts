import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { ProviderEventSweep } from './provider-events/provider-event-sweep.js';
import { ProviderEventWork } from './provider-events/provider-event-work.js';

export const PROVIDER_EVENT_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'provider events',
    does: 'Records what payment providers told us: captures, refunds, disputes and payouts. An event of an order that is not known yet is tried again for 24 hours.',
    seen: '`GET /backoffice/v1/provider-events?state=waiting`',
    everyMs: 'SWEEP_EVERY_MS',
    handler: ProviderEventWork,
    run: (work) => work.run(),
  }),
  repeatedTask({
    name: 'provider event sweep',
    does: "Reads the providers' own lists of events, for webhooks that never came.",
    seen: '`GET /backoffice/v1/provider-events`',
    everyMs: 'PAYMENT_SWEEP_MS',
    firstAfterMs: 1_000,
    handler: ProviderEventSweep,
    run: (sweep) => sweep.run(),
  }),
];
