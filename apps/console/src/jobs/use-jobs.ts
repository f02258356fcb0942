import { useQuery } from '@tanstack/react-query';
import { ask, type Request } from '../api/http.js';

const RUNNING_EVERY_MS = 1_000;
const QUIET_EVERY_MS = 10_000;

/** The newest jobs, read again while one is running. */
export function useJobs(query: Request<'GET jobs'>['query'], enabled = true) {
  return useQuery({
    queryKey: ['jobs', query],
    queryFn: ({ signal }) => ask('GET jobs', { query, signal }),
    enabled,
    refetchInterval: ({ state }) =>
      state.data?.jobs.some((job) => job.state === 'running') ? RUNNING_EVERY_MS : QUIET_EVERY_MS,
  });
}
