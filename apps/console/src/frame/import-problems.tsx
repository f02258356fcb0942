import { faultsIn, type FieldFault } from '../api/refusal-text.js';
import { importedLines as words } from '../words/imported-lines.js';
import { DataTable } from './data-table.js';
import { DownloadLink } from './download-link.js';
import { type ChosenFile, faultyLines } from './faulty-lines.js';

const SHOWN = 200;
const LONGEST_LINE = 90;

type LineError = Readonly<{ line: number; messages: readonly string[] }>;
type Field = Readonly<{
  /** What people call it. */
  name: string;
  allowed?: string | undefined;
}>;

type Props = Readonly<{
  /** The lines that fail: more than there are errors, if the server names only the first. */
  failed: number;
  errors: readonly LineError[];
  isPreview: boolean;
  file: ChosenFile | undefined;
  /** Of the path of a fault, such as `seats.0`. */
  fieldOf: (path: string) => Field;
}>;

/** The lines that cannot be imported, with what is wrong in which column, and a file of them to mend. */
export function ImportProblems({ failed, errors, isPreview, file, fieldOf }: Props) {
  if (failed === 0) return null;
  const shown = errors.slice(0, SHOWN);
  const at = errors.map(({ line }) => line);
  return (
    <>
      <p>
        {words.failed(failed, isPreview)}{' '}
        {file && (
          <DownloadLink name={words.faultyName(file.name)} type={file.content.type} text={faultyLines(file, at)}>
            {words.faulty}
          </DownloadLink>
        )}
      </p>
      <DataTable
        label={words.title}
        rows={shown}
        keyOf={({ line }) => `${line}`}
        empty=""
        columns={[
          { id: 'line', name: words.line, end: true, cell: ({ line }) => line },
          {
            id: 'problem',
            name: words.problem,
            cell: ({ messages }) => <Faults faults={messages.flatMap(faultsIn)} fieldOf={fieldOf} />,
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

type FaultsProps = Readonly<{ faults: readonly FieldFault[] }> & Pick<Props, 'fieldOf'>;

function Faults({ faults, fieldOf }: FaultsProps) {
  return (
    <ul>
      {faults.map(({ path, text }) => {
        const { name, allowed } = path === '' ? { name: '' } : fieldOf(path);
        return (
          <li key={`${path} ${text}`}>
            {name !== '' && <strong>{name}</strong>} {text}
            {allowed !== undefined && <span className="second soft">{allowed}</span>}
          </li>
        );
      })}
    </ul>
  );
}

const shortened = (line: string): string => (line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}…`);
