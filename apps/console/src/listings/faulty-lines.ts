import type { ChosenFile } from './import-file.js';

/** The records of a file that begin at these lines (from 1), after the header of a CSV file. */
export function faultyLines({ lines, content }: ChosenFile, at: readonly number[]): string {
  const header = content.type.includes('json') ? [] : lines.slice(0, 1);
  return [...header, ...at.filter((line) => line > header.length).map((line) => recordAt(lines, line)), ''].join(
    '\r\n',
  );
}

/** A quoted cell may go on in the next lines. */
function recordAt(lines: readonly string[], line: number): string {
  let record = lines[line - 1] ?? '';
  for (let next = line; quotesIn(record) % 2 === 1 && next < lines.length; next += 1) record += `\n${lines[next]}`;
  return record;
}

const quotesIn = (text: string): number => text.split('"').length - 1;
