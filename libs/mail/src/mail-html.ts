const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Mail programs of telephones also link numbers, dates and places. */
export const HTML_START =
  '<!doctype html><html><head><meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no"></head><body>';

/** The text, so that nothing in it is markup. */
export const escapedHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** The same text as paragraphs. Web addresses become links. */
export function htmlOf(text: string): string {
  const linked = escapedHtml(text).replaceAll(
    /https?:\/\/[^\s<]+/g,
    (address) => `<a href="${address}">${address}</a>`,
  );
  const paragraphs = linked.split('\n\n').map((one) => `<p>${one.replaceAll('\n', '<br>')}</p>`);
  return `${HTML_START}${paragraphs.join('')}</body></html>`;
}
