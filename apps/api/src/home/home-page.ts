import { createHash } from 'node:crypto';
import type { Settings } from '#config/settings';
import { Html, html } from '../sandbox/html.js';
import { STYLE as SHARED_STYLE } from '../sandbox/page-style.js';

const STYLE = `${SHARED_STYLE}
.links { display: grid; gap: 12px; margin: 0 0 32px; padding: 0; list-style: none; }
.links li { padding: 14px 18px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); overflow-wrap: anywhere; }
.links p { margin: 2px 0 0; color: var(--soft); }
`;

const hash = createHash('sha256').update(STYLE).digest('base64');

/** Nothing is loaded or run: the page has its own style, named by its hash, and no script. */
export const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

type Link = Readonly<{ path: string; isPage: boolean; says: string }>;

/** The start page: what there is, and with which credentials. */
export function homePage(settings: Settings): string {
  const { pages, surfaces } = linksOf(settings);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Willcall</title>
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <div class="wrap"><h1>Willcall</h1></div>
        </header>
        <main class="wrap">
          <div class="heading"><h2>Pages</h2></div>
          ${list(pages)}
          <div class="heading"><h2>APIs</h2></div>
          ${list(surfaces)}
        </main>
      </body>
    </html>`.text;
}

function linksOf({ PLATFORM_URL, CHECKOUT_SCHEME }: Settings): { pages: Link[]; surfaces: Link[] } {
  const page = (path: string, says: string) => ({ path, says, isPage: true });
  const surface = (path: string, says: string) => ({ path, says, isPage: false });
  return {
    pages: [
      page('docs', 'Every route of the API, to read and to try out'),
      page('openapi.json', 'The same as an OpenAPI document'),
      ...(PLATFORM_URL === undefined
        ? [page('sandbox', 'The purchase pings that the built-in platform received')]
        : []),
      page('health/ready', 'Whether this process can serve'),
    ],
    surfaces: [
      surface('checkout/v1', `For the ticketing platform: a signature in "Authorization: ${CHECKOUT_SCHEME} …"`),
      surface('2', 'Discovery, for the public: a key, by client_id or HTTP Basic'),
      surface('backoffice/v1', 'For staff and their scripts: a bearer token'),
      surface('stream/v1', 'The ping stream, for integrations: a bearer token with the stream scope'),
    ],
  };
}

function list(links: readonly Link[]): Html {
  return html`<ul class="links">
    ${links.map(
      ({ path, says, isPage }) =>
        html`<li>
          ${isPage ? html`<a href="${path}">/${path}</a>` : html`<code>/${path}</code>`}
          <p>${says}</p>
        </li>`,
    )}
  </ul>`;
}
