import type { Settings } from '#base/settings';
import { escapedHtml } from './mail-html.js';

/** `html` is what stands in the page of the mail. */
export type RenderedMail = Readonly<{
  subject: string;
  text: string;
  html: string;
  /** The language of its words. English without one. */
  lang?: string;
}>;

type SenderSettings = Pick<Settings, 'MAIL_FROM' | 'MAIL_POSTAL_ADDRESS'>;

const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
.foot { color: #5b6270; }
@media (prefers-color-scheme: dark) { .foot { color: #a3a9b5 !important; } p a { color: #a5b4fc !important; } }`;
const FONT = "font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The mail as it goes out: its HTML as a whole page, and under both parts who we are and where we are. No colours of its own, so that the mail program can turn it dark. */
export function signedMail({ subject, text, html, lang = 'en' }: RenderedMail, settings: SenderSettings) {
  const who = signatureOf(settings);
  const page = [
    `<!doctype html><html lang="${escapedHtml(lang)}"><head><meta charset="utf-8"><title>${escapedHtml(subject)}</title>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    // Mail programs of telephones also link numbers, dates and places.
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<style>${STYLE}</style></head><body style="margin:0;padding:24px 16px">`,
    `<div style="max-width:600px;margin:0 auto;${FONT}">${html}`,
    `<p class="foot" style="margin-top:32px;font-size:13px">${who.map(escapedHtml).join('<br>')}</p></div></body></html>`,
  ].join('');
  return { subject, text: `${text.trimEnd()}\n\n-- \n${who.join('\n')}\n`, html: page };
}

/** The host of the sender's address. Mail servers trust a `Message-ID` of it. */
export const senderHost = ({ MAIL_FROM }: Pick<Settings, 'MAIL_FROM'>): string =>
  addressOf(MAIL_FROM).split('@').at(-1)?.toLowerCase() ?? 'localhost';

function signatureOf({ MAIL_FROM, MAIL_POSTAL_ADDRESS: postal }: SenderSettings): string[] {
  const name = MAIL_FROM.replace(/<[^<>]*>$/, '')
    .trim()
    .replace(/^"(.*)"$/, '$1');
  return [name, addressOf(MAIL_FROM), postal ?? ''].filter((line) => line !== '');
}

const addressOf = (sender: string): string => /<([^<>]*)>$/.exec(sender)?.[1] ?? sender;
