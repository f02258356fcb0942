/** A file that was chosen, and its lines to show those that fail. Of a large file only those need be there. */
export type ChosenFile = Readonly<{ name: string; content: Blob; lines: readonly string[] }>;

/** The records of a file that begin at these lines (from 1), after the header of a CSV file. */
export function faultyLines({ lines, content }: ChosenFile, at: readonly number[]): string {
  if (content.type.includes('json')) return [...at.map((line) => lines[line - 1] ?? ''), ''].join('\r\n');
  const records = at.filter((line) => line > 1).map((line) => recordAt(lines, line));
  return [lines[0] ?? '', ...records, ''].join('\r\n');
}

/** A quoted cell may go on in the next lines. */
function recordAt(lines: readonly string[], line: number): string {
  let record = lines[line - 1] ?? '';
  for (let next = line; quotesIn(record) % 2 === 1 && next < lines.length; next += 1) record += `\n${lines[next]}`;
  return record;
}

const quotesIn = (text: string): number => text.split('"').length - 1;

/** Reads these lines of a file (from 1), without the whole file in memory. The others are left out of the list. */
export async function linesAt(file: Blob, at: readonly number[]): Promise<readonly string[]> {
  const found: string[] = [];
  const last = Math.max(0, ...at);
  const wanted = new Set(at);
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let line = 1;
  let begun = '';
  while (line <= last) {
    const { done, value = '' } = await reader.read();
    const [first = '', ...next] = value.split('\n');
    begun += first;
    for (const text of done ? [''] : next) {
      if (wanted.has(line)) found[line - 1] = begun.replace(/\r$/, '');
      line += 1;
      begun = text;
    }
    if (done) break;
  }
  await reader.cancel();
  return found;
}
