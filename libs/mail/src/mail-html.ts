const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A line that is a link with words for it, as in `Your account: https://…`. */
const NAMED_LINK = /^(.{1,60}): (https?:\/\/\S+)$/;
const ACCENT = '#4f46e5';

/** The text, so that nothing in it is markup. */
export const escapedHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** The same text as paragraphs. Web addresses become links, and buttons where they have a line and words of their own. */
export function htmlOf(text: string): string {
  return text.split('\n\n').map(paragraphOf).join('');
}

/** A link that looks like a button. Outlook takes the space around the words from the cell, the others from the words. */
export function buttonHtml(words: string, address: string): string {
  const cell = `border-radius:6px;background:${ACCENT};mso-padding-alt:12px 20px`;
  const label = 'display:inline-block;padding:12px 20px;color:#ffffff;font-weight:600';
  return [
    '<table role="presentation" cellpadding="0" cellspacing="0" style="margin:12px 0"><tr valign="top">',
    `<td bgcolor="${ACCENT}" style="${cell}">`,
    `<a href="${escapedHtml(address)}"><span style="${label}">${escapedHtml(words)}</span></a></td></tr></table>`,
  ].join('');
}

function paragraphOf(text: string): string {
  const parts: string[] = [];
  let lines: string[] = [];
  const endLines = () => {
    if (lines.length > 0) parts.push(`<p>${lines.join('<br>')}</p>`);
    lines = [];
  };
  for (const line of text.split('\n')) {
    const [, words, address] = NAMED_LINK.exec(line) ?? [];
    if (words === undefined || address === undefined) lines.push(linked(line));
    else {
      endLines();
      parts.push(buttonHtml(words, address));
    }
  }
  endLines();
  return parts.join('');
}

const linked = (line: string): string =>
  escapedHtml(line).replaceAll(/https?:\/\/[^\s<]+/g, (address) => `<a href="${address}">${address}</a>`);
