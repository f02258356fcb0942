import type { BackgroundTask } from '#operations/tasks/background-task';
import { Repeater } from '#runtime/repeater';
import { VerificationRuns } from './verification-runs.js';

const EVERY_MS = 2_000;

export const MAINTENANCE_TASKS: readonly BackgroundTask[] = [
  {
    name: 'verifications',
    does: 'Does the verification that somebody has asked for, at half speed, so that deliveries do not wait for it.',
    seen: '`GET /backoffice/v1/maintenance-runs`; the page `/settings/projections`',
    schedule: `every ${EVERY_MS.toLocaleString('en-US')} ms`,
    concurrency: 'one run in all processes',
    open({ get, onError, timed }) {
      const runs = get(VerificationRuns);
      const stop = new AbortController();
      const repeater = new Repeater(() => timed(() => runs.step(stop.signal)), EVERY_MS, onError);
      return {
        start: () => repeater.start(),
        stop: async () => {
          stop.abort();
          await repeater.stop();
        },
        get iterations() {
          return repeater.iterations;
        },
      };
    },
  },
];
