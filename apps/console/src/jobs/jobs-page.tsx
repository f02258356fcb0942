import { useSearch } from '@tanstack/react-router';
import { PageHead } from '../frame/page-head.js';
import { Section } from '../frame/section.js';
import { JobProgress } from '../order-transfer/job-progress.js';
import { jobWords as words } from './job-words.js';
import { JobChoices } from './job-choices.js';
import { JobResults } from './job-results.js';
import { JobTable } from './job-table.js';
import { useJobs } from './use-jobs.js';

const SHOWN = 50;

/** The jobs with their progress. The address says whose results are shown. */
export function JobsPage() {
  const search = useSearch({ from: '/frame/jobs' });
  const { job: shown } = search;
  const { data, error, isPending, refetch } = useJobs({ limit: SHOWN });
  const open = data?.jobs.find(({ id }) => id === shown);
  return (
    <div className="page">
      <PageHead title={words.title} hint={words.hint} />
      <JobTable label={words.title} jobs={data?.jobs ?? []} query={{ error, isPending, refetch }} />
      {open?.choices && <JobChoices choices={open.choices} />}
      {open?.kind === 'export_orders' && (
        <Section title={words.fileOf}>
          <JobProgress key={open.id} id={open.id} />
        </Section>
      )}
      {open && open.kind !== 'export_orders' && <JobResults key={open.id} job={open} />}
    </div>
  );
}
