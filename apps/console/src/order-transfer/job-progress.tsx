import './order-transfer.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Job } from '#desk/job.contract';
import { ask } from '../api/http.js';
import { Failure } from '../frame/failure.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { byteText, number } from '../words/formats.js';
import { orderTransferWords as words } from './order-transfer-words.js';

const EVERY_MS = 700;
const WAITING_EVERY_MS = 5_000;

const PACES: Partial<Record<Job['state'], number>> = { running: EVERY_MS, waiting_for_approval: WAITING_EVERY_MS };

/** How far an export or an import has come, and its file when it is done. */
export function JobProgress({ id }: Readonly<{ id: string }>) {
  const { data: job, error } = useQuery({
    queryKey: ['job', id],
    queryFn: ({ signal }) => ask('GET jobs/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => PACES[state.data?.state ?? 'done'] ?? false,
  });
  const stop = useMutationOnce({ mutationFn: () => ask('POST jobs/{id}/cancel', { path: { id } }) });
  if (error) return <Failure error={error} />;
  if (!job) return <progress aria-label={words.progress} />;
  const ready = job.done + job.failed;
  return (
    <div className="stack">
      <div className="row nowrap">
        <progress
          className="order-transfer-progress"
          aria-label={words.progress}
          max={Math.max(1, job.total)}
          value={job.state === 'done' ? Math.max(1, job.total) : ready}
        />
        {job.state in PACES && (
          <Button variant="default" size="compact-sm" loading={stop.isPending} onClick={() => stop.mutate()}>
            {words.stop}
          </Button>
        )}
      </div>
      <p role="status">{stateText(job)}</p>
      {job.why_not !== null && <p className="soft small">{job.why_not}</p>}
      {job.failed > 0 && <p>{words.refused(number(job.failed))}</p>}
      {job.error !== null && <p className="news warning">{job.error}</p>}
      {job.file && (
        <p>
          <a href={job.file.url} download={job.file.name}>
            {words.download(byteText(job.file.bytes))}
          </a>{' '}
          <span className="soft small">{words.expires}</span>
        </p>
      )}
      {stop.error && <Failure error={stop.error} />}
    </div>
  );
}

function stateText({ state, done, failed, total }: Job): string {
  if (state === 'running') return words.state.running(number(done + failed), number(total));
  return state === 'done' ? words.state.done(number(done)) : words.state[state];
}
