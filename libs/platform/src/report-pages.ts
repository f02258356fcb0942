import { PAGE, PdfDocument, type TextStyle } from './pdf-document.js';
import type { TrueTypeFont } from './truetype-font.js';
import { writtenText } from './written-text.js';

const MARGIN = 54;
const WIDTH = PAGE.width - 2 * MARGIN;
const BOTTOM = 64;
const LEADING = 1.35;
// Lines.
const MOST_TOGETHER = 8;
const BODY: TextStyle = { size: 9 };
const LABEL: TextStyle = { size: 9, grey: 0.35 };
const SMALL: TextStyle = { size: 7, grey: 0.35 };

/** A share of the width of the page. */
type Cell = Readonly<{ text: string; share: number; style?: TextStyle }>;

/** Headings, paragraphs and rows below one another, on as many pages as they need. */
export class ReportPages {
  readonly #pdf: PdfDocument;
  #y = 0;

  constructor(
    font: TrueTypeFont,
    title: string,
    /** At the foot of each page, before its number. */
    private readonly foot: string,
  ) {
    this.#pdf = new PdfDocument(font, title);
    this.#turn();
    this.#write([{ text: title, share: 1, style: { size: 16, bold: true } }]);
  }

  heading(text: string): void {
    // A heading does not stand alone at the foot of a page.
    this.#need(60);
    this.#y -= 12;
    this.#write([{ text, share: 1, style: { size: 11, bold: true } }]);
    this.#pdf.line(MARGIN, round(this.#y - 2), WIDTH);
    this.#y -= 6;
  }

  paragraph(text: string): void {
    this.#y -= 4;
    this.#write([{ text, share: 1, style: LABEL }]);
    this.#y -= 4;
  }

  /** What something is called, and what it is. Nothing without a value. */
  fact(name: string, value: string | null): void {
    if (value === null || value === '') return;
    this.#write([
      { text: name, share: 0.24, style: LABEL },
      { text: value, share: 0.76 },
    ]);
  }

  row(...cells: readonly Cell[]): void {
    this.#write(cells);
  }

  /** For digests and other long words without meaning for people. */
  smallRow(...cells: readonly Omit<Cell, 'style'>[]): void {
    this.#write(cells.map((cell) => ({ ...cell, style: SMALL })));
  }

  bytes(): Buffer {
    for (let page = 0; page < this.#pdf.pages; page += 1) {
      const number = `${this.foot} · page ${page + 1} of ${this.#pdf.pages}`;
      this.#pdf.text(MARGIN, 36, number, SMALL, page);
    }
    return this.#pdf.bytes();
  }

  #turn(): void {
    this.#pdf.addPage();
    this.#y = PAGE.height - MARGIN;
  }

  #need(height: number): void {
    if (this.#y - height < BOTTOM) this.#turn();
  }

  /** A short row stays together. A long one goes on on the next page, line by line. */
  #write(cells: readonly Cell[]): void {
    const columns = cells.map(({ text, share, style = BODY }) => {
      return { style, share, lines: this.#lines(text, share * WIDTH - 8, style.size) };
    });
    const size = Math.max(...columns.map(({ style }) => style.size));
    const most = Math.max(...columns.map(({ lines }) => lines.length));
    if (most <= MOST_TOGETHER) this.#need(most * size * LEADING);
    for (let at = 0; at < most; at += 1) {
      this.#need(size * LEADING);
      this.#y -= size * LEADING;
      let x = MARGIN;
      for (const { style, share, lines } of columns) {
        const line = lines[at];
        if (line) this.#pdf.text(round(x), round(this.#y), writtenText(line), style);
        x += share * WIDTH;
      }
    }
    this.#y -= 2;
  }

  #lines(text: string, width: number, size: number): string[] {
    return text.split('\n').flatMap((paragraph) => this.#wrapped(paragraph, width, size));
  }

  #wrapped(text: string, width: number, size: number): string[] {
    const fits = (line: string) => this.#pdf.widthOf(line, size) <= width;
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (fits(longer)) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      line = '';
      for (const character of word) {
        if (!fits(line + character)) {
          lines.push(line);
          line = '';
        }
        line += character;
      }
    }
    return [...lines, line];
  }
}

const round = (points: number) => Math.round(points * 100) / 100;
