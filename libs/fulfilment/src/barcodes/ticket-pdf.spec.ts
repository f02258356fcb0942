import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { TrueTypeFont } from '#platform/truetype-font';
import { filledOutlines, pdfText } from '../../../../test/support/pdf-text.js';
import { type PrintedTicket, ticketPdf } from './ticket-pdf.js';

const font = TrueTypeFont.load();
const TICKET: PrintedTicket = {
  title: 'Ada Quartet',
  when: 'Saturday, December 4, 2027 at 8:00 PM',
  venue: 'Hall',
  section: 'Floor',
  row: 'A',
  seat: '1',
  barcode: '4006381333931',
  orderId: 'ord_1',
};
const ticketWith = (barcode: string) => ticketPdf(font, { ...TICKET, barcode });

beforeAll(async () => {
  const file = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  const wasmBinary = Uint8Array.from(readFileSync(file)).buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
});

/** What a scanner reads on the page, by the kind of code. */
async function scanned(pdf: Buffer): Promise<Record<string, string>> {
  const found = await readBarcodes(pictureOf(filledOutlines(pdf)));
  return Object.fromEntries(found.map(({ format, text }) => [format, text]));
}

// Pixels for each point: a bar is 1.5 points wide.
const SCALE = 2;

/** Black where an odd number of outlines lies to the left, as `f*` fills. All their sides are upright or level. */
function pictureOf(outlines: readonly (readonly (readonly [x: number, y: number])[])[]) {
  const [width, height] = [612 * SCALE, 792 * SCALE];
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let row = 0; row < height; row += 1) {
    const y = 792 - (row + 0.5) / SCALE;
    const crossings = outlines.flatMap((points) =>
      points.flatMap(([x, from], index) => {
        const [, to] = points[(index + 1) % points.length] ?? [x, from];
        return Math.min(from, to) <= y && y < Math.max(from, to) ? [x * SCALE] : [];
      }),
    );
    crossings.sort((a, b) => a - b);
    for (let index = 0; index + 1 < crossings.length; index += 2) {
      const [from = 0, to = 0] = crossings.slice(index, index + 2).map(Math.round);
      data.fill(0, (row * width + from) * 4, (row * width + to) * 4);
      for (let x = from; x < to; x += 1) data[(row * width + x) * 4 + 3] = 255;
    }
  }
  return { data, width, height, colorSpace: 'srgb' as const };
}

it.each([
  ['digits', '4006381333931'],
  ['letters', 'AB-100 x'],
  ['what no word has', `!"#$%&'()*+,-;<=~^{}`],
  ['the longest', 'ABCDEFGHIJ1234567890'],
])('a barcode of %s is read from both codes', async (_what, barcode) => {
  const pdf = ticketWith(barcode);
  expect(await scanned(pdf)).toEqual({ QRCode: barcode, Code128: barcode });
  expect(pdfText(pdf)).toContain(barcode);
});

it.each([
  ['of 21 characters', 'ABCDEFGHIJ12345678901'],
  ['of 200', '~^{}'.repeat(50)],
])('one %s is a QR code alone', async (_what, barcode) => {
  expect(await scanned(ticketWith(barcode))).toEqual({ QRCode: barcode });
});

it('the same ticket gives the same bytes', () => {
  expect(ticketWith('AB 100').equals(ticketWith('AB 100'))).toBe(true);
});
