import { Sealer } from '#crypto/sealing';
import { Connections } from '#database/connections';
import { DatabaseClock } from '#database/database-clock';
import { Metrics } from '#operations/metrics';
import type { BackgroundTask } from '#operations/tasks/background-task';
import { followingTask } from '#operations/tasks/following-task';
import { AnchorFile } from './anchor-file.js';
import { LedgerKeeper, type LedgerState } from './ledger-keeper.js';

export const LEDGER_TASKS: readonly BackgroundTask[] = [
  followingTask({
    name: 'ledger',
    does: 'Chains the feed and the audit log under a key that the database does not have, and writes an anchor to `LEDGER_ANCHORS` each minute.',
    seen: '`willcall_ledger_position`, `willcall_ledger_anchored_timestamp_seconds`; `willcall verify`',
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
        'When this process last wrote an anchor of the ledger, as Unix time',
        undefined,
        async () => (state?.anchoredAt ? { value: Date.parse(state.anchoredAt) / 1_000 } : {}),
      );
      return new LedgerKeeper({
        connection: get(Connections).config('willcall ledger'),
        clock: get(DatabaseClock),
        sealer: get(Sealer),
        anchors: settings.LEDGER_ANCHORS === '' ? undefined : new AnchorFile(settings.LEDGER_ANCHORS),
        onError,
        onStep: (step) => {
          state = step;
        },
      });
    },
  }),
];
