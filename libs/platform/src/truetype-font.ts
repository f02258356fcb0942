import { readFileSync } from 'node:fs';

const FONT = new URL('./dejavu-sans-condensed.ttf', import.meta.url);

/** Glyphs and widths of a TrueType font. Widths are thousandths of the size. */
export class TrueTypeFont {
  readonly #glyphs: ReadonlyMap<number, number>;
  readonly #widths: readonly number[];

  private constructor(
    readonly file: Buffer,
    /** In thousandths of the size, as PDF wants them: [left, bottom, right, top]. */
    readonly box: readonly number[],
    readonly ascent: number,
    readonly descent: number,
    read: Readonly<{ glyphs: ReadonlyMap<number, number>; widths: readonly number[] }>,
  ) {
    this.#glyphs = read.glyphs;
    this.#widths = read.widths;
  }

  /** Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic. */
  static load(): TrueTypeFont {
    return TrueTypeFont.read(readFileSync(FONT));
  }

  static read(file: Buffer): TrueTypeFont {
    const tables = tablesOf(file);
    const at = (name: string) => tables.get(name) ?? missing(name);
    const perEm = file.readUInt16BE(at('head') + 18);
    const scaled = (units: number) => Math.round((units * 1_000) / perEm);
    const signed = (place: number) => scaled(file.readInt16BE(place));
    const box = [36, 38, 40, 42].map((offset) => signed(at('head') + offset));
    const numberOfWidths = file.readUInt16BE(at('hhea') + 34);
    const widths = Array.from({ length: numberOfWidths }, (_, glyph) =>
      scaled(file.readUInt16BE(at('hmtx') + 4 * glyph)),
    );
    const glyphs = glyphsOf(file, at('cmap'));
    return new TrueTypeFont(file, box, signed(at('hhea') + 4), signed(at('hhea') + 6), { glyphs, widths });
  }

  /** Undefined if the font does not have the character. */
  glyphOf(codePoint: number): number | undefined {
    return this.#glyphs.get(codePoint);
  }

  widthOf(glyph: number): number {
    // All glyphs after the last that is listed are as wide as it.
    return this.#widths[glyph] ?? this.#widths.at(-1) ?? 0;
  }
}

function missing(name: string): never {
  throw new Error(`The font has no table ${name}.`);
}

function tablesOf(file: Buffer): ReadonlyMap<string, number> {
  const tables = new Map<string, number>();
  for (let entry = 12; entry < 12 + 16 * file.readUInt16BE(4); entry += 16) {
    tables.set(file.toString('latin1', entry, entry + 4), file.readUInt32BE(entry + 8));
  }
  return tables;
}

/** The glyphs of all characters, by the one subtable of the font (format 4: segments of the first 65,536 characters). */
function glyphsOf(file: Buffer, cmap: number): ReadonlyMap<number, number> {
  const table = cmap + file.readUInt32BE(cmap + 8);
  if (file.readUInt16BE(table) !== 4) throw new Error('The font has another table of characters than expected.');
  const bytes = file.readUInt16BE(table + 6);
  const [ends, glyphs] = [table + 14, new Map<number, number>()];
  const starts = ends + bytes + 2;
  for (let segment = 0; segment < bytes; segment += 2) {
    const [first, last] = [file.readUInt16BE(starts + segment), file.readUInt16BE(ends + segment)];
    const delta = file.readUInt16BE(starts + bytes + segment);
    const rangeAt = starts + 2 * bytes + segment;
    const range = file.readUInt16BE(rangeAt);
    for (let code = first; code <= last && code < 0xffff; code += 1) {
      const found = range === 0 ? code : file.readUInt16BE(rangeAt + range + 2 * (code - first));
      if (found !== 0) glyphs.set(code, (found + delta) & 0xffff);
    }
  }
  return glyphs;
}
