import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { JobPreview } from '#desk/job.contract';
import { ask, preview } from '../api/http.js';
import { CancelButton, Dialog } from '../frame/dialog.js';
import { DataTable } from '../frame/data-table.js';
import { Failure } from '../frame/failure.js';
import { FilePicker } from '../frame/file-picker.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { number } from '../words/formats.js';
import { orderTransferWords as words } from './order-transfer-words.js';
import { JobProgress } from './job-progress.js';

const TYPE = 'application/x-ndjson';

/** Checks a file of orders first, and imports it only after that. */
export function ImportDialog({ onClose }: Readonly<{ onClose: () => void }>) {
  const [file, setFile] = useState<File | null>(null);
  const check = useMutation({
    mutationFn: (given: File) => preview('POST jobs/import', { query: { dry_run: 'true' }, file: typed(given) }),
  });
  const start = useMutationOnce({ mutationFn: (given: File) => ask('POST jobs/import', { file: typed(given) }) });
  const choose = (chosen: File | null) => {
    if (!chosen) return;
    setFile(chosen);
    check.mutate(chosen);
  };
  const report = check.data;
  return (
    <Dialog title={words.importTitle} size="lg" typed={null} isPending={start.isPending} onClose={onClose}>
      <div className="stack">
        {start.data ? (
          <JobProgress id={start.data.id} />
        ) : (
          <>
            <p className="soft">{words.importHint}</p>
            <FilePicker
              file={file}
              accept=".ndjson,.jsonl"
              words={words}
              isPending={check.isPending}
              onChoose={choose}
            />
          </>
        )}
        {check.error && <Failure error={check.error} />}
        {start.error && <Failure error={start.error} />}
        {report && !start.data && <Report report={report} />}
        <div className="row end">
          <CancelButton>{words.close}</CancelButton>
          {file && report && report.allowed > 0 && !start.data && (
            <Button loading={start.isPending} onClick={() => start.mutate(file)}>
              {words.apply(number(report.allowed))}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function Report({ report }: Readonly<{ report: JobPreview }>) {
  const refused = report.sample.filter(({ outcome }) => outcome === 'refused');
  return (
    <>
      <p role="status">{words.preview(number(report.allowed), number(report.refused))}</p>
      {refused.length > 0 && (
        <DataTable
          label={words.problems}
          rows={refused}
          keyOf={({ reason = '', order_id: id }) => `${reason}${id}`}
          empty=""
          columns={[
            { id: 'order', name: words.order, cell: ({ order_id: id }) => <span className="mono">{id}</span> },
            { id: 'problem', name: words.problem, cell: ({ reason }) => reason ?? '' },
          ]}
        />
      )}
    </>
  );
}

/** Browsers do not know the type. */
const typed = (file: File) => file.slice(0, file.size, TYPE);
