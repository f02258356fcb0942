import type { BackgroundTask } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { DeliveryMinutes } from './delivery-minutes.js';

export const DELIVERY_MINUTE_TASKS: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'delivery minutes',
    does: 'Writes down what waits for the platform and for webhooks, counts the attempts of each minute, and forgets both after `DELIVERY_HISTORY_DAYS`.',
    seen: '`GET /backoffice/v1/delivery/history`; the table `delivery_minutes`',
    // Twice a minute, so that no minute is left out.
    everyMs: 30_000,
    handler: DeliveryMinutes,
    run: (minutes) => minutes.run(),
  }),
];
