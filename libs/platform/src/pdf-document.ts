import { deflateSync } from 'node:zlib';
import { type FarEast, FAR_EAST, farEastOf, isFarEastern } from './far-east.js';
import type { TrueTypeFont } from './truetype-font.js';

/** `bold` thickens the one font that is embedded. Sizes are points; `grey` is from 0, black, to 1. */
export type TextStyle = Readonly<{ size: number; bold?: boolean; grey?: number }>;

/** Characters that are written in one font. */
type Piece = Readonly<{ font: 'main' | FarEast; text: string }>;

/** US letter, in points. The origin is at the lower left. */
export const PAGE = { width: 612, height: 792 } as const;

/**
 * Pages of text as PDF 1.7. The same texts give the same bytes: nothing in it depends on a clock or on chance. The font is embedded whole;
 * Chinese, Japanese and Korean are in the fonts that each reader of PDF brings for them.
 */
export class PdfDocument {
  readonly #pages: string[][] = [];
  readonly #used = new Map<number, string>();
  readonly #farEast = new Set<FarEast>();

  constructor(
    private readonly font: TrueTypeFont,
    private readonly title: string,
  ) {}

  get pages(): number {
    return this.#pages.length;
  }

  addPage(): void {
    this.#pages.push([]);
  }

  /** On the last page, or that of this number from 0. */
  text(x: number, y: number, text: string, { size, bold = false, grey = 0 }: TextStyle, page = this.pages - 1): void {
    const shown = this.#pieces(text).map(({ font, text: piece }) => {
      const hex = font === 'main' ? this.#glyphsOf(piece) : utf16(piece);
      return `/${font} ${size} Tf <${hex}> Tj`;
    });
    const weight = bold ? `2 Tr ${(size / 30).toFixed(3)} w` : '0 Tr';
    this.#pages[page]?.push(`BT ${grey} g ${grey} G ${weight} ${x} ${y} Td ${shown.join(' ')} ET`);
  }

  line(x: number, y: number, width: number, grey = 0.7): void {
    this.#pages.at(-1)?.push(`${grey} G 0.5 w ${x} ${y} m ${x + width} ${y} l S`);
  }

  /** Fills in black what lies within an odd number of these outlines. */
  fill(outlines: readonly (readonly (readonly [x: number, y: number])[])[]): void {
    const paths = outlines.map(
      (points) =>
        `${points
          .map(([x, y]) => `${x} ${y}`)
          .join(' l ')
          .replace(' l ', ' m ')} l h`,
    );
    this.#pages.at(-1)?.push(`0 g ${paths.join(' ')} f*`);
  }

  /** In points. */
  widthOf(text: string, size: number): number {
    const width = this.#pieces(text).reduce((sum, { font, text: piece }) => {
      const characters = Array.from(piece);
      if (font !== 'main') return sum + 1_000 * characters.length;
      return sum + characters.reduce((all, one) => all + this.font.widthOf(this.#glyph(one)), 0);
    }, 0);
    return (width * size) / 1_000;
  }

  bytes(): Buffer {
    const objects: (string | Buffer)[] = [];
    const add = (body: string | Buffer) => `${objects.push(body)} 0 R`;
    const fonts = [`/main ${add(this.#mainFont(add))}`];
    for (const name of [...this.#farEast].sort()) fonts.push(`/${name} ${add(farEastFont(name, add))}`);
    const contents = this.#pages.map((lines) => add(stream(Buffer.from(lines.join('\n')))));
    // The pages name their parent, which comes right after them.
    const parent = `${objects.length + contents.length + 1} 0 R`;
    const kids = contents.map((content) =>
      add(
        `<< /Type /Page /Parent ${parent} /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Contents ${content} ` +
          `/Resources << /Font << ${fonts.join(' ')} >> >> >>`,
      ),
    );
    const pages = add(`<< /Type /Pages /Count ${kids.length} /Kids [${kids.join(' ')}] >>`);
    const viewer = '/ViewerPreferences << /DisplayDocTitle true >>';
    const root = add(`<< /Type /Catalog /Pages ${pages} /Lang (en) ${viewer} >>`);
    const info = add(`<< /Title <feff${utf16(this.title)}> /Producer (Willcall) >>`);
    return fileOf(objects, { root, info });
  }

  /** A character that no font has is shown by its number. */
  #pieces(text: string): Piece[] {
    const pieces: { font: Piece['font']; text: string }[] = [];
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0;
      const isMain = this.font.glyphOf(code) !== undefined;
      const font = isMain || !isFarEastern(character) ? 'main' : farEastOf(text);
      const shown = isMain || font !== 'main' ? character : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
      const last = pieces.at(-1);
      if (last?.font === font) last.text += shown;
      else pieces.push({ font, text: shown });
      if (font !== 'main') this.#farEast.add(font);
    }
    return pieces;
  }

  #glyph(character: string): number {
    return this.font.glyphOf(character.codePointAt(0) ?? 0) ?? 0;
  }

  #glyphsOf(text: string): string {
    let hex = '';
    for (const character of text) {
      const glyph = this.#glyph(character);
      this.#used.set(glyph, character);
      hex += glyph.toString(16).padStart(4, '0');
    }
    return hex;
  }

  #mainFont(add: (body: string | Buffer) => string): string {
    const { file, box, ascent, descent } = this.font;
    const data = add(stream(file, `/Length1 ${file.length}`));
    const descriptor = add(
      `<< /Type /FontDescriptor /FontName /DejaVuSansCondensed /Flags 4 /FontBBox [${box.join(' ')}] /ItalicAngle 0 ` +
        `/Ascent ${ascent} /Descent ${descent} /CapHeight 729 /StemV 80 /FontFile2 ${data} >>`,
    );
    const used = [...this.#used].sort(([a], [b]) => a - b);
    const widths = used.map(([glyph]) => `${glyph} [${this.font.widthOf(glyph)}]`).join(' ');
    const descendant = add(
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /DejaVuSansCondensed /CIDToGIDMap /Identity ` +
        `/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ` +
        `/FontDescriptor ${descriptor} /DW 600 /W [${widths}] >>`,
    );
    const toUnicode = add(stream(Buffer.from(unicodeMap(used))));
    return (
      `<< /Type /Font /Subtype /Type0 /BaseFont /DejaVuSansCondensed /Encoding /Identity-H ` +
      `/DescendantFonts [${descendant}] /ToUnicode ${toUnicode} >>`
    );
  }
}

function farEastFont(name: FarEast, add: (body: string | Buffer) => string): string {
  const { base, encoding, ordering, supplement } = FAR_EAST[name];
  const descriptor = add(
    `<< /Type /FontDescriptor /FontName /${base} /Flags 4 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 880 ` +
      `/Descent -120 /CapHeight 880 /StemV 93 >>`,
  );
  const descendant = add(
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${base} /DW 1000 /FontDescriptor ${descriptor} ` +
      `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement ${supplement} >> >>`,
  );
  return `<< /Type /Font /Subtype /Type0 /BaseFont /${base} /Encoding /${encoding} /DescendantFonts [${descendant}] >>`;
}

function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex');
}

function stream(content: Buffer, more = ''): Buffer {
  const packed = deflateSync(content, { level: 9 });
  const head = Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode ${more} >>\nstream\n`);
  return Buffer.concat([head, packed, Buffer.from('\nendstream')]);
}

// A list in such a map has at most a hundred entries.
const MOST_IN_LIST = 100;

/** By which readers copy and search the text. */
function unicodeMap(used: readonly (readonly [glyph: number, character: string])[]): string {
  const lines = used.map(([glyph, character]) => `<${glyph.toString(16).padStart(4, '0')}> <${utf16(character)}>`);
  const lists: string[] = [];
  for (let from = 0; from < lines.length; from += MOST_IN_LIST) {
    const list = lines.slice(from, from + MOST_IN_LIST);
    lists.push(`${list.length} beginbfchar\n${list.join('\n')}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${lists.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}

function fileOf(
  objects: readonly (string | Buffer)[],
  { root, info }: Readonly<{ root: string; info: string }>,
): Buffer {
  // The bytes above 127 in the second line tell programs that the file is not text.
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let length = parts[0]?.length ?? 0;
  const places = objects.map((body, index) => {
    const place = length;
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
    return place;
  });
  const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries}`;
  const trailer = `trailer\n<< /Size ${size} /Root ${root} /Info ${info} >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + trailer)]);
}
