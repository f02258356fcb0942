import { code128, qrcode } from 'bwip-js/generic';

type Point = readonly [x: number, y: number];

/** What is dark: all that lies within an odd number of these outlines. The unit is of the code; y goes up from the lower left corner. */
export type DrawnCode = Readonly<{ width: number; height: number; outlines: readonly (readonly Point[])[] }>;

/** The longest barcode that is drawn as bars, too. A longer one has bars too thin for a page that was printed at home. */
export const LONGEST_LINEAR_BARCODE = 20;

/** A QR code. @throws Error if the text is too long */
export const qrCode = (text: string): DrawnCode => qrcode({ bcid: 'qrcode', text, scale: 1 }, drawing());

/** Code 128, whose unit is the width of its thinnest bar. @throws Error if the text is not ASCII */
export const linearCode = (text: string): DrawnCode => code128({ bcid: 'code128', text, scale: 1 }, drawing());

function drawing() {
  const outlines: (readonly Point[])[] = [];
  let [width, height] = [0, 0];
  return {
    scale: (x: number, y: number): [number, number] => [x, y],
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init: (across: number, down: number) => void ([width, height] = [across, down]),
    // bwip-js has y going down.
    polygon: (points: readonly Point[]) => void outlines.push(points.map(([x, y]) => [x, height - y])),
    // A bar, as high as the code. Its middle is rounded up.
    line: (middle: number, _y: number, _end: number, _down: number, thick: number) => {
      const [left, right] = [middle - Math.ceil(thick / 2), middle + Math.floor(thick / 2)];
      outlines.push([
        [left, 0],
        [right, 0],
        [right, height],
        [left, height],
      ]);
    },
    fill: () => undefined,
    // These codes have no such parts.
    hexagon: () => undefined,
    ellipse: () => undefined,
    text: () => undefined,
    end: (): DrawnCode => ({ width, height, outlines }),
  };
}
