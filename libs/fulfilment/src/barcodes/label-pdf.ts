import { PAGE, PdfDocument } from '#platform/pdf-document';
import type { TrueTypeFont } from '#platform/truetype-font';
import { writtenText } from '#platform/written-text';

/** The delivery data of a purchase. Null: unknown. */
type Address = Readonly<Record<string, unknown>>;

const MARGIN = 72;

/** The label of a parcel: to whom it goes. */
export function labelPdf(font: TrueTypeFont, orderId: string, address: Address): Buffer {
  const pdf = new PdfDocument(font, `Label of order ${orderId}`);
  pdf.addPage();
  let y = PAGE.height - MARGIN;
  pdf.text(MARGIN, y, 'SHIP TO', { size: 11, grey: 0.35 });
  for (const line of linesOf(address)) {
    y -= 32;
    pdf.text(MARGIN, y, writtenText(line), { size: 22, bold: true });
  }
  pdf.text(MARGIN, y - 40, `Order ${orderId}`, { size: 11, grey: 0.35 });
  return pdf.bytes();
}

function linesOf(address: Address): string[] {
  const of = (...names: readonly string[]) =>
    names
      .map((name) => address[name])
      .filter((value) => typeof value === 'string' && value !== '')
      .join(' ');
  const place = [of('city'), of('state', 'zip')].filter((part) => part !== '').join(', ');
  return [of('first_name', 'last_name'), of('address1'), of('address2'), place, of('country')].filter(
    (line) => line !== '',
  );
}
