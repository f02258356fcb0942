import { Sealer } from '#base/sealing';
import { Connections } from '#database/connections';
import { DatabaseClock } from '#database/database-clock';
import { Metrics } from '#platform/metrics';
import type { BackgroundTask } from '#platform/background-task';
import { followingTask } from '#platform/following-task';
import { Clock } from '#base/clock';
import { anchorTargets } from './anchor-places.js';
import { LedgerKeeper, type LedgerState } from '#event-store/ledger-keeper';

export const LEDGER_TASKS: readonly BackgroundTask[] = [
  followingTask({
    name: 'ledger',
    does: 'Chains the feed and the audit log under a key that the database does not have, and writes an anchor to `LEDGER_ANCHORS`, `LEDGER_ANCHOR_URL` and `LEDGER_ANCHOR_BUCKET` each minute.',
    seen: '`willcall_ledger_position`, `willcall_ledger_anchored_timestamp_seconds`, `willcall_ledger_anchor_failures_total`; `willcall verify`',
    follows: 'the feed, once a second',
    worker({ get, settings, onError }) {
      let state: LedgerState | undefined;
      const metrics = get(Metrics);
      metrics.gauge(
        'willcall_ledger_position',
        'Position in the feed up to which it is chained',
        undefined,
        async () => (state ? { value: state.position } : {}),
      );
      metrics.gauge(
        'willcall_ledger_anchored_timestamp_seconds',
        'When this process last wrote an anchor of the ledger to all of its places, as Unix time',
        undefined,
        async () => (state?.anchoredAt ? { value: Date.parse(state.anchoredAt) / 1_000 } : {}),
      );
      return new LedgerKeeper({
        connection: get(Connections).config('willcall ledger'),
        clock: get(DatabaseClock),
        sealer: get(Sealer),
        // The owner of the database could set its clock, and with it the end of a retention.
        anchors: anchorTargets(settings, get(Clock)),
        onError,
        onFailure: (place) => metrics.anchorFailures.inc({ place }),
        onStep: (step) => {
          state = step;
        },
      });
    },
  }),
];
