import { PAGE, PdfDocument } from '#platform/pdf-document';
import type { TrueTypeFont } from '#platform/truetype-font';
import { writtenText } from '#platform/written-text';
import { type DrawnCode, linearCode, LONGEST_LINEAR_BARCODE, qrCode } from './drawn-code.js';

/** What stands on a ticket. Null: unknown. */
export type PrintedTicket = Readonly<{
  title: string | null;
  /** As people say it. */
  when: string | null;
  venue: string | null;
  section: string | null;
  row: string | null;
  seat: string;
  barcode: string;
  orderId: string;
}>;

const MARGIN = 72;
const CODE_SIDE = 220;
// Thinner bars are hard to read for the scanners of doors.
const BAR_WIDTH = 1.5;
const BAR_HEIGHT = 64;

/**
 * One ticket on one page, with its barcode as a QR code. A short one stands there as Code 128, too, because some scanners read only bars.
 * The same ticket gives the same bytes.
 */
export function ticketPdf(font: TrueTypeFont, ticket: PrintedTicket): Buffer {
  const { title, when, venue, section, row, seat, barcode, orderId } = ticket;
  const pdf = new PdfDocument(font, `${title ?? 'Ticket'}, seat ${seat}`);
  pdf.addPage();
  let y = PAGE.height - MARGIN;
  const write = (text: string | null, size: number, bold = false) => {
    if (text === null || text === '') return;
    for (const line of linesOf(pdf, text, size)) {
      y -= size * 1.35;
      pdf.text(MARGIN, Math.round(y), writtenText(line), { size, bold });
    }
  };
  write(title ?? 'Ticket', 22, true);
  write(when, 13);
  write(venue, 13);
  y -= 14;
  const places = [section && `Section ${section}`, row && `Row ${row}`, `Seat ${seat}`];
  write(places.filter(Boolean).join(' · '), 16, true);
  y -= CODE_SIDE + 24;
  drawCode(pdf, qrCode(barcode), { y, width: CODE_SIDE, height: CODE_SIDE });
  if (barcode.length <= LONGEST_LINEAR_BARCODE) {
    const bars = linearCode(barcode);
    y -= BAR_HEIGHT + 24;
    drawCode(pdf, bars, { y, width: bars.width * BAR_WIDTH, height: BAR_HEIGHT });
  }
  y -= 8;
  write(barcode, 13);
  pdf.text(MARGIN, MARGIN / 2, `Order ${orderId}`, { size: 8, grey: 0.35 });
  return pdf.bytes();
}

/** In points. */
type Box = Readonly<{ y: number; width: number; height: number }>;

function drawCode(pdf: PdfDocument, code: DrawnCode, { y: bottom, width, height }: Box): void {
  const place = ([x, y]: readonly [number, number]) =>
    [round(MARGIN + (x * width) / code.width), round(bottom + (y * height) / code.height)] as const;
  pdf.fill(code.outlines.map((points) => points.map(place)));
}

const round = (points: number) => Math.round(points * 100) / 100;

/** Words that do not fit in a line go on in the next one. */
function linesOf(pdf: PdfDocument, text: string, size: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    const longer = line === undefined ? word : `${line} ${word}`;
    if (line !== undefined && pdf.widthOf(longer, size) > PAGE.width - 2 * MARGIN) lines.push(word);
    else lines.splice(-1, line === undefined ? 0 : 1, longer);
  }
  return lines;
}
