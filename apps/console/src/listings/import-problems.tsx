import type { ListingImportReport } from '#listings/listing-import.contract';
import { DataTable } from '../frame/data-table.js';
import { DownloadLink } from '../frame/download-link.js';
import { faultsIn, type FieldFault } from '../api/refusal-text.js';
import { wordFor } from '../words/word-for.js';
import { faultyLines } from './faulty-lines.js';
import type { ChosenFile } from './import-file.js';
import { listingsWords } from './listing-words.js';

const words = listingsWords.import;
const SHOWN = 200;
const LONGEST_LINE = 90;

type Props = Readonly<{ report: ListingImportReport; file: ChosenFile | undefined }>;

/** The lines that cannot be imported, with what is wrong in which column, and a file of them to mend. */
export function ImportProblems({ report, file }: Props) {
  const { failed, errors, dry_run: isPreview } = report;
  if (failed === 0) return null;
  const shown = errors.slice(0, SHOWN);
  return (
    <>
      <p>
        {words.failed(failed, isPreview === true)}{' '}
        {file && (
          <DownloadLink
            name={words.faultyName(file.name)}
            type={file.content.type}
            text={faultyLines(
              file,
              errors.map(({ line }) => line),
            )}
          >
            {words.faulty}
          </DownloadLink>
        )}
      </p>
      <DataTable
        label={words.problems}
        rows={shown}
        keyOf={({ line }) => `${line}`}
        empty=""
        columns={[
          { id: 'line', name: words.line, end: true, cell: ({ line }) => line },
          {
            id: 'problem',
            name: words.problem,
            cell: ({ errors: found }) => (
              <Faults faults={found.flatMap(({ message }) => faultsIn(message))} report={report} />
            ),
          },
          {
            id: 'text',
            name: words.text,
            cell: ({ line }) => <span className="mono soft">{shortened(file?.lines[line - 1] ?? '')}</span>,
          },
        ]}
      />
      {failed > shown.length && <p className="soft small">{words.more(failed - shown.length)}</p>}
    </>
  );
}

type FaultsProps = Readonly<{ faults: readonly FieldFault[]; report: ListingImportReport }>;

/** Each with the name of its column in the file, or of the field that no column is. */
function Faults({ faults, report }: FaultsProps) {
  return (
    <ul>
      {faults.map(({ path, text }) => {
        const [field = ''] = path.split('.');
        const column = report.columns?.find((one) => one.field === field)?.column;
        return (
          <li key={`${path} ${text}`}>
            {field !== '' && <strong>{column ?? wordFor(words.fields, field) ?? field}</strong>} {text}
            {wordFor(words.allowed, field) !== undefined && (
              <span className="second soft">{wordFor(words.allowed, field)}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const shortened = (line: string): string => (line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}…`);
