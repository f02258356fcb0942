import { parseForeignJson } from './json.js';

export type RecordText = Readonly<{ line: number; text: string }>;
/** The value of a record before validation against the schema, or `error` if it is malformed. */
export type ParsedRecord = Readonly<{ line: number; value: unknown } | { line: number; error: string }>;

export class JsonLinesReader {
  read(records: readonly RecordText[]): ParsedRecord[] {
    return records.map(({ line, text }) => {
      try {
        return { line, value: parseForeignJson(text) };
      } catch {
        // The parser's own message would quote the text, which may be personal data.
        return { line, error: 'is not JSON' };
      }
    });
  }
}
