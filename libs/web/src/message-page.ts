import { createHash } from 'node:crypto';
import { STYLE as SHARED_STYLE } from './page-style.js';
import { Html, html } from './html.js';
import { ICON } from './page-icon.js';

const STYLE = `${SHARED_STYLE}
main.message { max-width: 600px; padding-block: 16vh 64px; }
.message img { display: block; margin-bottom: 20px; }
.message h1 { font-size: 24px; }
.message form { margin-top: 24px; }
@media (max-width: 560px) { main.message { padding-block: 48px; } }
`;

// In the colour of the buttons.
const LOGO = new Html(ICON.replace('%232a4fd0', '%234f46e5'));

const hash = createHash('sha256').update(STYLE).digest('base64');

/** The headers of such a page. It loads and runs nothing. @param formAction `self`: its form goes only to the address of the page */
export function messageHeaders(formAction: 'none' | 'self' = 'none') {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action '${formAction}'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
  } as const;
}

/** A page with a few sentences for somebody who came by a link, perhaps without an account here. */
export function messagePage(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="${LOGO}" />
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <main class="wrap message">
          <img src="${LOGO}" alt="" width="32" height="32" />
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`.text;
}
