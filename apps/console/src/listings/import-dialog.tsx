import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ListingImportReport } from '#listings/listing-import.contract';
import { CancelButton, Dialog } from '../frame/dialog.js';
import { Failure } from '../frame/failure.js';
import type { ChosenFile } from '../frame/faulty-lines.js';
import { FilePicker } from '../frame/file-picker.js';
import { ImportProblems } from '../frame/import-problems.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { listingsWords } from './listing-words.js';
import { ImportColumns, ImportDefaults } from './import-columns.js';
import { TEMPLATE } from './import-template.js';
import { DownloadLink } from '../frame/download-link.js';
import { importedLines } from '../words/imported-lines.js';
import { wordFor } from '../words/word-for.js';
import { chosenFile, type ImportAnswers, NO_ANSWERS, sendFile } from './import-file.js';

const words = listingsWords.import;

type Asked = Readonly<{ file: ChosenFile; answers: ImportAnswers }>;

/** Checks a file first and shows its columns and the problems line by line. Imports the valid lines only after a confirmation. */
export function ImportDialog({ onClose }: Readonly<{ onClose: () => void }>) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const latest = useRef(NO_ANSWERS);
  // Stays on the screen while the file is checked again.
  const [checked, setChecked] = useState<ListingImportReport | null>(null);
  const check = useMutation({
    mutationFn: ({ file, answers }: Asked) => sendFile(file, answers, true),
    // Answers may overtake each other.
    onSuccess: (report, { answers }) => latest.current === answers && setChecked(report),
  });
  const write = useMutationOnce({
    mutationFn: ({ file, answers }: Asked) => sendFile(file, answers, false),
    onSuccess: () => client.invalidateQueries({ queryKey: ['list'] }),
  });
  const ask = (next: Asked) => {
    setAsked(next);
    latest.current = next.answers;
    write.reset();
    check.mutate(next);
  };
  const choose = async (chosen: File | null) => {
    if (!chosen) return;
    setChecked(null);
    ask({ file: await chosenFile(chosen), answers: { ...NO_ANSWERS } });
  };
  const report = write.data ?? checked;
  const canImport = asked && !write.data && checked && checked.imported > 0;
  return (
    <Dialog
      title={words.title}
      size="xl"
      typed={asked?.answers ?? NO_ANSWERS}
      isPending={write.isPending}
      isSent={write.data !== undefined}
      onClose={onClose}
    >
      <div className="stack">
        {!write.data && (
          <>
            <p className="soft">
              {words.hint}{' '}
              <DownloadLink name="listings.csv" text={TEMPLATE}>
                {importedLines.template}
              </DownloadLink>
            </p>
            <FilePicker
              file={asked?.file}
              accept=".csv,.txt,.tsv,.tab,.jsonl,.ndjson,text/csv"
              words={words}
              isPending={check.isPending}
              onChoose={(chosen) => void choose(chosen)}
            />
          </>
        )}
        {(check.error ?? write.error) && <Failure error={check.error ?? write.error} />}
        {report && <Outcome report={report} />}
        {asked && checked && !write.data && (
          <>
            <ImportColumns {...asked} report={checked} onAnswer={(answers) => ask({ ...asked, answers })} />
            <ImportDefaults {...asked} report={checked} onAnswer={(answers) => ask({ ...asked, answers })} />
          </>
        )}
        {report && <Problems report={report} file={asked?.file} />}
        <div className="row end">
          <CancelButton>{write.data ? words.close : listingsWords.cancel}</CancelButton>
          {canImport && (
            <Button
              loading={write.isPending}
              disabled={check.isPending || check.isError}
              onClick={() => write.mutate(asked)}
            >
              {words.apply(checked.imported)}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function Outcome({ report }: Readonly<{ report: ListingImportReport }>) {
  const { imported, dry_run: isPreview, created = 0, replaced = 0, ignored_columns: ignored } = report;
  return (
    <>
      <p role="status">{isPreview ? words.preview(imported, created, replaced) : words.done(imported)}</p>
      {ignored && !isPreview && <p className="soft">{words.ignoredColumns(ignored)}</p>}
    </>
  );
}

function Problems({ report, file }: Readonly<{ report: ListingImportReport; file: ChosenFile | undefined }>) {
  const { failed, errors, columns, dry_run: isPreview = false } = report;
  /** The name of the column in the file, or of the field that no column is. */
  const fieldOf = (path: string) => {
    const [field = ''] = path.split('.');
    const column = columns?.find((one) => one.field === field)?.column;
    return { name: column ?? wordFor(words.fields, field) ?? field, allowed: wordFor(words.allowed, field) };
  };
  const found = errors.map((one) => ({ line: one.line, messages: one.errors.map(({ message }) => message) }));
  return <ImportProblems failed={failed} errors={found} isPreview={isPreview} file={file} fieldOf={fieldOf} />;
}
