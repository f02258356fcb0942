import { createHash } from 'node:crypto';
import { type Settings, usesSandbox } from '#base/settings';
import { Html, html } from '#web/html';
import { ICON } from '#web/page-icon';
import { STYLE as SHARED_STYLE } from '#sandbox/page-style';

const STYLE = `${SHARED_STYLE}
.lead { margin: 0 0 28px; color: var(--soft); }
.links { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 380px), 1fr)); gap: 12px; margin: 0 0 32px; padding: 0; list-style: none; }
.links li { padding: 14px 18px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); overflow-wrap: anywhere; }
.links h3 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 12px; margin: 0; font-size: 15px; font-weight: 600; }
.links code { margin-left: auto; color: var(--soft); font-weight: 400; }
.links p { margin: 4px 0 0; color: var(--soft); }
`;

const hash = createHash('sha256').update(STYLE).digest('base64');

/** The page loads and runs nothing. It contains its style, named by its hash, and its icon, and has no script. */
export const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** `isPage`: a browser can open it without credentials. */
type Link = Readonly<{ path: string; name: string; isPage: boolean; says: string }>;

/** All addresses and their credentials. */
export function homePage(settings: Settings): string {
  const { pages, surfaces } = linksOf(settings);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Willcall</title>
        <link rel="icon" href="${new Html(ICON)}" />
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header>
          <div class="wrap">
            <h1><img src="${new Html(ICON)}" alt="" width="28" height="28" /> Willcall</h1>
          </div>
        </header>
        <main class="wrap">
          <p class="lead">The order back end of a ticket marketplace is running here.</p>
          <div class="heading"><h2>Pages</h2></div>
          ${list(pages)}
          <div class="heading"><h2>APIs</h2></div>
          ${list(surfaces)}
        </main>
      </body>
    </html>`.text;
}

function linksOf(settings: Settings): { pages: Link[]; surfaces: Link[] } {
  const page = (path: string, name: string, says: string) => ({ path, name, says, isPage: true });
  const surface = (path: string, name: string, says: string) => ({ path, name, says, isPage: false });
  return {
    pages: [
      page('./', 'Console', 'Find orders, see what happened to them, and act.'),
      ...(settings.DOCS
        ? [
            page('docs', 'API documentation', 'Every route, to read and to try out.'),
            page('openapi.json', 'OpenAPI document', 'The same for tools and client generators.'),
            page(
              'asyncapi.json',
              'AsyncAPI document',
              'The ping stream, webhooks and purchase pings, for the same tools.',
            ),
          ]
        : []),
      ...(usesSandbox(settings)
        ? [page('sandbox', 'Sandbox platform', 'The purchase pings that the built-in platform received.')]
        : []),
      page('health/ready', 'Health', 'Whether this server is ready, as JSON.'),
    ],
    surfaces: [
      surface(
        'checkout/v1',
        'Checkout',
        `For the ticketing platform. Signed requests: “Authorization: ${settings.CHECKOUT_SCHEME} …”.`,
      ),
      surface('2', 'Discovery', 'For everybody. Public key: client_id in the query, or HTTP Basic.'),
      surface('backoffice/v1', 'Back office', 'For staff and their scripts. Bearer token: the back office token.'),
      surface('stream/v1', 'Ping stream', 'For integrations. Bearer token: a stream token.'),
    ],
  };
}

function list(links: readonly Link[]): Html {
  return html`<ul class="links">
    ${links.map(
      ({ path, name, says, isPage }) =>
        html`<li>
          <h3>${isPage ? html`<a href="${path}">${name}</a>` : name} <code>/${path.replace('./', '')}</code></h3>
          <p>${says}</p>
        </li>`,
    )}
  </ul>`;
}
