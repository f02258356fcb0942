import { Sealer } from '#crypto/sealing';
import { Connections } from '#database/connections';
import { DatabaseClock } from '#database/database-clock';
import { Metrics } from '#operations/metrics';
import type { BackgroundTask } from '#operations/tasks/background-task';
import { followingTask } from '#operations/tasks/following-task';
import type { Clock } from '#runtime/clock';
import { AnchorFile } from './anchor-file.js';
import { AnchorWebhook } from './anchor-webhook.js';
import type { AnchorTarget } from './anchoring.js';
import { LedgerKeeper, type LedgerState } from './ledger-keeper.js';

type Places = Readonly<{
  LEDGER_ANCHORS: string;
  LEDGER_ANCHOR_URL?: string | undefined;
  LEDGER_ANCHOR_SECRET?: string | undefined;
}>;

function anchorTargets(places: Places, clock: Clock): AnchorTarget[] {
  const { LEDGER_ANCHORS: path, LEDGER_ANCHOR_URL: url, LEDGER_ANCHOR_SECRET: secret } = places;
  return [
    ...(path === '' ? [] : [new AnchorFile(path)]),
    ...(url === undefined || secret === undefined ? [] : [new AnchorWebhook({ url, secret, clock })]),
  ];
}

export const LEDGER_TASKS: readonly BackgroundTask[] = [
  followingTask({
    name: 'ledger',
    does: 'Chains the feed and the audit log under a key that the database does not have, and writes an anchor to `LEDGER_ANCHORS` and `LEDGER_ANCHOR_URL` each minute.',
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
        'When this process last wrote an anchor of the ledger to all of its places, as Unix time',
        undefined,
        async () => (state?.anchoredAt ? { value: Date.parse(state.anchoredAt) / 1_000 } : {}),
      );
      return new LedgerKeeper({
        connection: get(Connections).config('willcall ledger'),
        clock: get(DatabaseClock),
        sealer: get(Sealer),
        anchors: anchorTargets(settings, get(DatabaseClock)),
        onError,
        onStep: (step) => {
          state = step;
        },
      });
    },
  }),
];
