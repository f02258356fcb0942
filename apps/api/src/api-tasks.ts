import type { Surface } from '#base/process-roles';
import type { BackgroundTask, TasksByRole } from '#platform/background-task';
import { repeatedTask } from '#platform/repeated-task';
import { IdempotencyKeys, RENEW_LEASES_EVERY_MS } from '#platform/idempotency-keys';
import { FLUSH_REQUESTS_EVERY_MS, RecordedRequests } from '#platform/recorded-requests';
import { STATUS_CATALOGUE_TASKS } from '#orders/status-catalogue.tasks';
import { SCREENING_TASKS } from '#orders/screening.tasks';
import { FLUSH_READS_EVERY_MS, PersonalReads } from '#accounts/personal-reads';
import { PlatformReads } from '#outbound/platform-reads';
import { DiscoveryKeyUsage, FLUSH_EVERY_MS } from '#accounts/discovery-key-usage';
import { RequestPruning } from '#web/request-pruning';
import { UploadSweep } from '#fulfilment/upload-sweep';

const PLATFORM_READS = repeatedTask({
  name: 'platform reads',
  does: 'Writes down which version of each purchase the platform has read.',
  seen: '`willcall delivery drift`',
  // At this pace one statement writes up to some thousand reads. The drift report is as old as this.
  everyMs: 2_000,
  handler: PlatformReads,
  run: (reads) => reads.flush(),
  onceMoreAtEnd: true,
});

const DISCOVERY_KEY_USAGE = repeatedTask({
  name: 'discovery key usage',
  does: 'Adds the counted discovery requests of each key to the database.',
  seen: '`willcall clients keys list`',
  everyMs: FLUSH_EVERY_MS,
  handler: DiscoveryKeyUsage,
  run: (usage) => usage.flush(),
  onceMoreAtEnd: true,
});

const UPLOAD_SWEEP = repeatedTask({
  name: 'upload sweep',
  does: 'Removes what a killed process left of its uploads, an hour after the last byte.',
  seen: 'the folder `.uploads` in `FILES_DIR`',
  everyMs: 600_000,
  handler: UploadSweep,
  run: (sweep) => sweep.run(),
});

const OF_EVERY_API: readonly BackgroundTask[] = [
  repeatedTask({
    name: 'recorded requests',
    does: 'Writes down the requests that may have changed something.',
    seen: '`GET /backoffice/v1/transactions/{transaction_id}`',
    everyMs: FLUSH_REQUESTS_EVERY_MS,
    handler: RecordedRequests,
    run: (requests) => requests.flush(),
    onceMoreAtEnd: true,
  }),
  repeatedTask({
    name: 'personal data reads',
    does: "Adds to the database how often tokens have read buyers' data in clear.",
    seen: '`personal_data.read` in the audit log',
    everyMs: FLUSH_READS_EVERY_MS,
    handler: PersonalReads,
    run: (reads) => reads.flush(),
    onceMoreAtEnd: true,
  }),
  repeatedTask({
    name: 'idempotency leases',
    does: 'Keeps the `Idempotency-Key` of each running request from being used again.',
    seen: '409 (40907) for the same key',
    everyMs: RENEW_LEASES_EVERY_MS,
    handler: IdempotencyKeys,
    run: (keys) => keys.renew(),
  }),
  repeatedTask({
    name: 'idempotency pruning',
    does: 'Removes the answers to each `Idempotency-Key` after 24 hours.',
    seen: 'the table `idempotency_keys`',
    everyMs: 600_000,
    handler: IdempotencyKeys,
    run: (keys) => keys.prune(),
  }),
  repeatedTask({
    name: 'request pruning',
    does: 'Removes recorded requests that are older than `REQUEST_LOG_DAYS`.',
    seen: '`GET /backoffice/v1/transactions/{transaction_id}`',
    everyMs: 3_600_000,
    handler: RequestPruning,
    run: (pruning) => pruning.run(),
  }),
];

const ORDER_RULES = [...STATUS_CATALOGUE_TASKS, ...SCREENING_TASKS];

/** Everything that apis do by themselves, by the surfaces that need it; `docs/background-tasks.md` is generated from it. */
export const API_TASKS: TasksByRole<Surface> = {
  always: OF_EVERY_API,
  of: {
    checkout: [...ORDER_RULES, PLATFORM_READS],
    discovery: [DISCOVERY_KEY_USAGE],
    backoffice: [...ORDER_RULES, UPLOAD_SWEEP],
    stream: [],
    console: [],
  },
};

/** Of an api with READ_ONLY: those that only read. */
export const READING_TASKS: TasksByRole<Surface> = {
  always: [],
  of: { checkout: ORDER_RULES, discovery: [], backoffice: ORDER_RULES, stream: [], console: [] },
};
