/** What an api may serve: the words of the setting SURFACES. */
export const SURFACES = ['checkout', 'discovery', 'backoffice', 'stream', 'console'] as const;
export type Surface = (typeof SURFACES)[number];

/** The groups of background tasks that a worker may run: the words of the setting TASKS. */
export const TASK_GROUPS = [
  'feed',
  'pings',
  'webhooks',
  'orders',
  'money',
  'jobs',
  'queues',
  'mails',
  'people',
  'catalogue',
  'upkeep',
  'sandbox',
] as const;
export type TaskGroup = (typeof TASK_GROUPS)[number];
