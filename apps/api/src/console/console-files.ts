import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { parseJson } from '#base/json';

/** A file of the built console, in memory: the whole console is smaller than a megabyte. */
export type ConsoleFile = Readonly<{
  body: Buffer;
  /** Undefined for a file that is already compressed. Compressed when first asked for: all at once would delay a start. */
  gzipped(): Buffer | undefined;
  type: string;
  etag: string;
}>;

export type ConsoleFiles = Readonly<{
  /** Where the page answers, as Fastify writes it: `/orders/:id`. */
  addresses: readonly string[];
  page: ConsoleFile;
  assets: ReadonlyMap<string, ConsoleFile>;
}>;

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** The folder that Vite fills, relative to `dist/apps/api/src/console` and to `apps/api/src/console`. */
const FOLDERS = ['../../../../console/', '../../../../dist/console/'];

/** The build of the console (`apps/console/vite.config.ts`) writes it. */
const ADDRESSES = 'addresses.json';
// The router writes `$id`.
const Addresses = z.array(z.string().transform((address) => address.replaceAll('$', ':')));

/** The built console for a server whose addresses begin with `prefix` (`/shop`, or empty); undefined if it was not built. */
export function readConsole(prefix: string): ConsoleFiles | undefined {
  const folder = FOLDERS.map((path) => new URL(path, import.meta.url)).find((url) =>
    existsSync(new URL(ADDRESSES, url)),
  );
  if (!folder) return undefined;
  const names = readdirSync(new URL('assets/', folder));
  const html = readFileSync(new URL('index.html', folder), 'utf8');
  return {
    addresses: Addresses.parse(parseJson(readFileSync(new URL(ADDRESSES, folder), 'utf8'))),
    page: consoleFile('index.html', Buffer.from(withPrefix(html, prefix))),
    assets: new Map(
      names.map((name) => [name, consoleFile(name, readFileSync(fileURLToPath(new URL(`assets/${name}`, folder))))]),
    ),
  };
}

/** Addresses in the page are relative to the server's root, but the page answers at many depths. */
function withPrefix(html: string, prefix: string): string {
  const base = `<meta name="path-prefix" content="${prefix}" />`;
  return html.replaceAll('="./', `="${prefix}/`).replace('<title>', `${base}\n    <title>`);
}

function consoleFile(name: string, body: Buffer): ConsoleFile {
  const ending = name.slice(name.lastIndexOf('.') + 1);
  let gzipped: Buffer | undefined;
  return {
    body,
    gzipped: () => (ending === 'woff2' ? undefined : (gzipped ??= gzipSync(body))),
    type: TYPES[ending] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  };
}
