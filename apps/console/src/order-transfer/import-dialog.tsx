import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { JobPreview } from '#desk/job.contract';
import { ask, preview } from '../api/http.js';
import { CancelButton, Dialog } from '../frame/dialog.js';
import { DownloadLink } from '../frame/download-link.js';
import { Failure } from '../frame/failure.js';
import { type ChosenFile, linesAt } from '../frame/faulty-lines.js';
import { FilePicker } from '../frame/file-picker.js';
import { ImportProblems } from '../frame/import-problems.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { number } from '../words/formats.js';
import { importedLines } from '../words/imported-lines.js';
import { wordFor } from '../words/word-for.js';
import { orderTransferWords as words } from './order-transfer-words.js';
import { TEMPLATE } from './import-template.js';
import { JobProgress } from './job-progress.js';

const TYPE = 'application/x-ndjson';

/** Checks a file of orders first, and imports it only after that. */
export function ImportDialog({ onClose }: Readonly<{ onClose: () => void }>) {
  const [file, setFile] = useState<File | null>(null);
  const check = useMutation({ mutationFn: checked });
  const start = useMutationOnce({ mutationFn: (given: File) => ask('POST jobs/import', { file: typed(given) }) });
  const choose = (chosen: File | null) => {
    if (!chosen) return;
    setFile(chosen);
    check.mutate(chosen);
  };
  const report = check.data?.report;
  return (
    <Dialog title={words.importTitle} size="xl" typed={null} isPending={start.isPending} onClose={onClose}>
      <div className="stack">
        {start.data ? (
          <JobProgress id={start.data.id} />
        ) : (
          <>
            <p className="soft">
              {words.importHint}{' '}
              <DownloadLink name="orders.ndjson" type={TYPE} text={TEMPLATE}>
                {importedLines.template}
              </DownloadLink>
            </p>
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
        {check.data && !start.data && <Report {...check.data} />}
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

function Report({ report: { allowed, refused, errors = [] }, file }: Readonly<Checked>) {
  const found = errors.map(({ line, message }) => ({ line, messages: [message] }));
  return (
    <>
      <p role="status">{words.preview(number(allowed), number(refused))}</p>
      <ImportProblems failed={refused} errors={found} isPreview file={file} fieldOf={fieldOf} />
    </>
  );
}

/** `events.0.data.currency` is `Event 1, data.currency`. */
function fieldOf(path: string) {
  const [, index, rest = ''] = /^events\.(\d+)\.?(.*)$/.exec(path) ?? [];
  const name = index === undefined ? wordFor(words.names, path) : words.event(Number(index) + 1, rest);
  return { name: name ?? path, allowed: wordFor(words.allowed, path.split('.').at(-1) ?? path) };
}

type Checked = Readonly<{ report: JobPreview; file: ChosenFile }>;

async function checked(given: File): Promise<Checked> {
  const content = typed(given);
  const report = await preview('POST jobs/import', { query: { dry_run: 'true' }, file: content });
  const lines = await linesAt(content, report.errors?.map(({ line }) => line) ?? []);
  return { report, file: { name: given.name, content, lines } };
}

/** Browsers do not know the type. */
const typed = (file: File) => file.slice(0, file.size, TYPE);
