import { parse } from 'secure-json-parse';

export type Text = Readonly<{ line: number; text: string }>;
/** What a record says, not yet held against the schema; `fault` where it is not well-formed. */
export type Read = Readonly<{ line: number; value: unknown } | { line: number; fault: string }>;

/** Reads records of which each is a JSON text. */
export class JsonLinesReader {
  read(records: readonly Text[]): Read[] {
    return records.map(({ line, text }) => {
      try {
        return { line, value: parse(text) as unknown };
      } catch {
        // The parser's own message quotes the text.
        return { line, fault: 'is not JSON' };
      }
    });
  }
}
