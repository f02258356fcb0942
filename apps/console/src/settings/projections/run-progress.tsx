import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { MaintenanceRun } from '#upkeep/maintenance.contract';
import { ask, serverTime } from '../../api/http.js';
import { Failure } from '../../frame/failure.js';
import { useNow } from '../../frame/now.js';
import { useMutationOnce } from '../../frame/use-mutation-once.js';
import { durationText } from '../../words/durations.js';
import { percent } from '../../words/formats.js';
import { wordFor } from '../../words/word-for.js';
import { projectionWords as words } from './projection-words.js';

type Props = Readonly<{ run: MaintenanceRun; mayAct: boolean }>;

// Requests are looked for every two seconds.
const TAKEN_WITHIN_MS = 8_000;

/** The run that waits or is under way. */
export function RunProgress({ run, mayAct }: Props) {
  const client = useQueryClient();
  const now = useNow(1_000);
  const cancel = useMutationOnce({
    mutationFn: () => ask('POST maintenance-runs/{id}/cancel', { path: { id: run.id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['maintenance-runs'] }),
  });
  const waitedMs = serverTime(now) - Date.parse(run.requested_at);
  const isForgotten = run.state === 'requested' && run.started_at === null && waitedMs > TAKEN_WITHIN_MS;
  return (
    <section className="run-card" aria-label={words.working}>
      <div className="row">
        <strong>{runName(run)}</strong>
        <span className="soft" role="status">
          {run.cancelling ? words.cancelling : stateText(run)}
        </span>
        <div className="grow" />
        {mayAct && !run.cancelling && (
          <Button variant="default" size="compact-sm" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {words.cancelRun}
          </Button>
        )}
      </div>
      <div className="row nowrap">
        {run.state === 'running' && run.total > 0 ? (
          <progress max={run.total} value={run.done} aria-label={words.progress} />
        ) : (
          <progress aria-label={words.progress} />
        )}
        <span className="run-share">{run.total > 0 ? percent(Math.min(1, run.done / run.total)) : ''}</span>
      </div>
      <p className="soft small">
        {run.seconds_left !== null && run.seconds_left > 0 ? words.left(durationText(run.seconds_left)) : ' '}
      </p>
      {isForgotten && (
        <p className="news warning">{run.kind === 'verify' ? words.waitsForWorker : words.waitsForOwner}</p>
      )}
      {cancel.error && <Failure error={cancel.error} />}
    </section>
  );
}

/** `Rebuild of Orders`. */
export function runName({ kind, projection }: Pick<MaintenanceRun, 'kind' | 'projection'>): string {
  if (kind !== 'rebuild') return words.run[kind];
  return words.run.rebuild(wordFor(words.names, projection ?? '') ?? projection ?? '');
}

/** A verification that was interrupted is requested again. */
function stateText({ state, started_at, step }: MaintenanceRun): string {
  if (state !== 'requested') return stepText(step);
  return started_at === null ? words.waiting : words.interrupted;
}

/** A rebuild of all names the projection first: `orders: filling`. */
function stepText(step: string | null): string {
  const [first = '', second] = (step ?? 'starting').split(': ');
  if (second === undefined) return wordFor(words.steps, first) ?? first;
  return `${wordFor(words.names, first) ?? first}: ${wordFor(words.steps, second) ?? second}`;
}
