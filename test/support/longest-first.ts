import { BaseSequencer, type TestSpecification } from 'vitest/node';

// By how long each takes on a busy machine, longest first. Without an earlier run Vitest goes by the size of a file, and may come to one
// of a minute last, while the other workers have nothing left to do.
export const LONGEST = [
  'test/start.e2e-spec.ts',
  'test/readme.e2e-spec.ts',
  'test/crash/services.e2e-spec.ts',
  'test/console-barriers.e2e-spec.ts',
  'test/crash/stream.e2e-spec.ts',
  'test/crash/redis.e2e-spec.ts',
  'test/console-settings.e2e-spec.ts',
  'test/crash/shutdown.e2e-spec.ts',
  'test/crash/payment.e2e-spec.ts',
  'test/end-to-end.e2e-spec.ts',
  'test/killed-start.e2e-spec.ts',
  'test/console.e2e-spec.ts',
  'test/console-delivery.e2e-spec.ts',
  'test/console-questions.e2e-spec.ts',
  'test/crash/silence.e2e-spec.ts',
  'test/connections.e2e-spec.ts',
  'test/backup.e2e-spec.ts',
  'libs/outbound/src/pings/ping-work.int-spec.ts',
  'libs/web/src/http/mutated-requests.routes.int-spec.ts',
  'libs/database/src/dead-peer-detector.int-spec.ts',
  'libs/delivery-kit/src/queues/queues.int-spec.ts',
  'libs/web/src/http/unread-answers.routes.int-spec.ts',
  'libs/orders/src/desk/order-actions.routes.int-spec.ts',
  'libs/orders/src/rebuild.int-spec.ts',
  'libs/web/src/http/hostile-requests.routes.int-spec.ts',
  'libs/outbound/src/webhooks/webhook-work.int-spec.ts',
  'libs/database/src/embedded-postgres.int-spec.ts',
  'test/database-logins.int-spec.ts',
  'libs/listings/src/stock.projection.int-spec.ts',
  'libs/event-store/src/subscription.int-spec.ts',
  'apps/cli/src/backup.int-spec.ts',
  'apps/cli/src/verify.int-spec.ts',
  'libs/upkeep/src/verify.int-spec.ts',
  'libs/upkeep/src/verification/verify-ledger.int-spec.ts',
  'apps/api/src/live-pings.int-spec.ts',
  'libs/web/src/http/hostile-bodies.routes.int-spec.ts',
  'libs/discovery/src/catalogue-import.int-spec.ts',
  'libs/upkeep/src/maintenance/key-change.int-spec.ts',
  'libs/accounts/src/people/permissions.routes.int-spec.ts',
];

/** Starts the longest files of a project first, and the others in Vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
