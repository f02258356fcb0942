import { parseJson } from '#base/json';
/** Counted from 1, as in a stack. */
export type Position = Readonly<{ source: string; line: number; column: number }>;

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Uint8Array(128);
for (let value = 0; value < DIGITS.length; value += 1) VALUES[DIGITS.charCodeAt(value)] = value;
const [COMMA, SEMICOLON] = [','.charCodeAt(0), ';'.charCodeAt(0)];

/** What the index keeps of a line: where its mappings begin, and the source, line and column that its differences start from. */
const PER_LINE = 4;

/**
 * The source map of one file (ECMA-426). A library would keep 30 MB of decoded mappings for the largest bundle; this keeps 16 bytes a
 * line, and decodes one line to find a position.
 */
export class SourceMap {
  private readonly sources: readonly string[];
  private readonly mappings: string;
  private readonly lines: Int32Array;

  /** @throws SyntaxError if the text is not JSON. */
  constructor(json: string) {
    const map = parseJson(json) as { sources: readonly string[]; mappings: string };
    this.sources = map.sources;
    this.mappings = map.mappings;
    const lines = [0, 0, 0, 0];
    decode(map.mappings, 0, [0, 0, 0, 0], (at, [, source, line, column]) => void lines.push(at, source, line, column));
    this.lines = Int32Array.from(lines);
  }

  /** Returns where the code at a line and column comes from; undefined if the bundler added it. */
  find(line: number, column: number): Position | undefined {
    const [at, ...origin] = this.lines.subarray((line - 1) * PER_LINE, line * PER_LINE);
    if (at === undefined) return undefined;
    let found: Sums | undefined;
    const isDone = () => true;
    decode(this.mappings, at, [0, ...origin] as Sums, isDone, (sums) => {
      if (sums[0] < column) found = [...sums];
    });
    const source = this.sources[found?.[1] ?? -1];
    return found && source !== undefined ? { source, line: found[2] + 1, column: found[3] + 1 } : undefined;
  }
}

/** The column in the bundle, then source, line and column in it. Each mapping is a list of differences from the one before. */
type Sums = [start: number, source: number, line: number, column: number];

/** Decodes from `at` until `onLine`, called with the place of each next line, returns true. */
function decode(
  mappings: string,
  from: number,
  sums: Sums,
  onLine: (at: number, sums: Sums) => unknown,
  onMapping?: (sums: Sums) => void,
): void {
  let [field, value, shift] = [0, 0, 0];
  for (let at = from; at <= mappings.length; at += 1) {
    const code = at < mappings.length ? mappings.charCodeAt(at) : SEMICOLON;
    if (code === COMMA || code === SEMICOLON) {
      if (field > 1) onMapping?.(sums);
      field = 0;
      if (code === COMMA) continue;
      sums[0] = 0;
      if (onLine(at + 1, sums) === true) return;
      continue;
    }
    const digit = VALUES[code] ?? 0;
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    // The fifth field is a name.
    if (field < sums.length) sums[field] = (sums[field] ?? 0) + (value & 1 ? -(value >>> 1) : value >>> 1);
    [field, value, shift] = [field + 1, 0, 0];
  }
}
