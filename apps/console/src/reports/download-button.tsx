import { Button } from '@mantine/core';
import type { ReportGroup, ReportName } from '#desk/report.contract';
import { Failure } from '../frame/failure.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { reportWords as words } from './report-words.js';
import type { Days } from './period.js';
import { downloadReport } from './report-query.js';

type Props = Readonly<{ report: ReportName; by: ReportGroup; range: Days; name: string }>;

/** Saves a report as a file for a spreadsheet. */
export function DownloadButton({ report, by, range, name }: Props) {
  const save = useMutationOnce({ mutationFn: () => downloadReport(report, by, range) });
  return (
    <>
      {save.error && <Failure error={save.error} />}
      <Button
        variant="default"
        size="compact-sm"
        loading={save.isPending}
        aria-label={words.downloadOf(name)}
        onClick={() => save.mutate()}
      >
        {words.download}
      </Button>
    </>
  );
}
