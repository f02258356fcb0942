import { drawingSVG, qrcode } from 'bwip-js/generic';

const QUIET = 4;

/** A QR code, dark on white in both themes, because not every camera reads it the other way round. */
export function QrCode({ text, label }: Readonly<{ text: string; label: string }>) {
  const picture = qrcode(
    { bcid: 'qrcode', text, scale: 1, padding: 2 * QUIET, backgroundcolor: 'ffffff' },
    drawingSVG(),
  );
  return <div className="qr" role="img" aria-label={label} dangerouslySetInnerHTML={{ __html: picture }} />;
}
