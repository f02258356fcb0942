import { encode } from 'uqr';
import { PAGE, PdfDocument } from '#platform/pdf-document';
import type { TrueTypeFont } from '#platform/truetype-font';
import { writtenText } from '#platform/written-text';

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

/** One ticket on one page, with its barcode as a QR code. The same ticket gives the same bytes. */
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
  drawCode(pdf, barcode, MARGIN, y);
  y -= 8;
  write(barcode, 13);
  pdf.text(MARGIN, MARGIN / 2, `Order ${orderId}`, { size: 8, grey: 0.35 });
  return pdf.bytes();
}

/** @param x,y the lower left corner, in points */
function drawCode(pdf: PdfDocument, barcode: string, x: number, y: number): void {
  const { data, size } = encode(barcode, { border: 0 });
  const side = Math.floor((CODE_SIDE / size) * 100) / 100;
  const corners = data.flatMap((line, down) =>
    line.flatMap((isDark, across) => {
      if (!isDark) return [];
      return [[round(x + across * side), round(y + (size - 1 - down) * side)] as const];
    }),
  );
  pdf.squares(corners, side);
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
