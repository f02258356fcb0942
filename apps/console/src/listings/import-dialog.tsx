import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListingImportReport } from '#contracts/backoffice/listing-import';
import { ask } from '../api/http.js';
import { CancelButton, Dialog } from '../frame/dialog.js';
import { DataTable } from '../frame/data-table.js';
import { Failure } from '../frame/failure.js';
import { FilePicker } from '../frame/file-picker.js';
import { useMutationOnce } from '../frame/use-mutation-once.js';
import { listingsWords } from '../words/listings.js';

const words = listingsWords.import;
const SHOWN = 200;
const LONGEST_LINE = 90;

type Chosen = Readonly<{ name: string; type: string; text: string }>;

/** Checks a file first and shows the problems line by line. Imports the valid lines only after a confirmation. */
export function ImportDialog({ onClose }: Readonly<{ onClose: () => void }>) {
  const client = useQueryClient();
  const [file, setFile] = useState<Chosen | null>(null);
  const check = useMutation({ mutationFn: (given: Chosen) => send(given, true) });
  const write = useMutationOnce({
    mutationFn: (given: Chosen) => send(given, false),
    onSuccess: () => client.invalidateQueries({ queryKey: ['list'] }),
  });
  const choose = async (chosen: File | null) => {
    if (!chosen) return;
    const isCsv = !/\.(jsonl|ndjson|json)$/i.test(chosen.name);
    const given = {
      name: chosen.name,
      type: isCsv ? 'text/csv' : 'application/x-ndjson',
      text: await chosen.text(),
    };
    setFile(given);
    write.reset();
    check.mutate(given);
  };
  const report = write.data ?? check.data;
  const canImport = file && !write.data && report && report.imported > 0;
  return (
    <Dialog title={words.title} size="xl" typed={null} isPending={write.isPending} onClose={onClose}>
      <div className="stack">
        {!write.data && (
          <>
            <p className="soft">{words.hint}</p>
            <FilePicker
              file={file}
              accept=".csv,.jsonl,.ndjson,text/csv"
              words={words}
              isPending={check.isPending}
              onChoose={(chosen) => void choose(chosen)}
            />
          </>
        )}
        {check.error && <Failure error={check.error} />}
        {write.error && <Failure error={write.error} />}
        {report && <Report report={report} text={file?.text ?? ''} />}
        <div className="row end">
          <CancelButton>{write.data ? words.close : listingsWords.cancel}</CancelButton>
          {canImport && (
            <Button loading={write.isPending} onClick={() => write.mutate(file)}>
              {words.apply(report.imported)}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function Report({ report, text }: Readonly<{ report: ListingImportReport; text: string }>) {
  const { imported, failed, errors, dry_run: isPreview, created = 0, replaced = 0 } = report;
  const lines = text.split(/\r?\n/);
  return (
    <>
      <p role="status">{isPreview ? words.preview(imported, created, replaced) : words.done(imported)}</p>
      {failed > 0 && (
        <>
          <p>{words.failed(failed, isPreview === true)}</p>
          <DataTable
            label={words.problems}
            rows={errors.slice(0, SHOWN)}
            keyOf={({ line }) => `${line}`}
            empty=""
            columns={[
              { id: 'line', name: words.line, end: true, cell: ({ line }) => line },
              {
                id: 'problem',
                name: words.problem,
                cell: ({ errors: found }) => found.map(({ message }) => message).join('; '),
              },
              {
                id: 'text',
                name: words.text,
                cell: ({ line }) => <span className="mono soft">{shortened(lines[line - 1] ?? '')}</span>,
              },
            ]}
          />
          {failed > SHOWN && <p className="soft small">{words.more(failed - SHOWN)}</p>}
        </>
      )}
    </>
  );
}

const shortened = (line: string): string => (line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}…`);

function send({ type, text }: Chosen, dryRun: boolean): Promise<ListingImportReport> {
  return ask(`listings/import?dry_run=${dryRun}`, { method: 'POST', file: new Blob([text], { type }) });
}
