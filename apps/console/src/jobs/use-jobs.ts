import { useQuery } from '@tanstack/react-query';
import type { JobList } from '#desk/job.contract';
import { ask } from '../api/http.js';

const RUNNING_EVERY_MS = 1_000;
const QUIET_EVERY_MS = 10_000;

/** The newest jobs, read again while one is running. `query`: of `GET jobs`. */
export function useJobs(query: string, enabled = true) {
  return useQuery({
    queryKey: ['jobs', query],
    queryFn: ({ signal }) => ask<JobList>(`jobs?${query}`, { signal }),
    enabled,
    refetchInterval: ({ state }) =>
      state.data?.jobs.some((job) => job.state === 'running') ? RUNNING_EVERY_MS : QUIET_EVERY_MS,
  });
}
