import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '#base/settings';
import type { Logger } from '#platform/logger';
import type { DocumentPace } from '#web/document-pace';
import { scriptSources } from '#web/script-sources';
import { wantsPage } from '#web/wants-page';
import { type ConsoleFile, readConsole } from './console-files.js';

/** All other addresses that begin as those of the console. */
function unknownPages(pages: readonly string[]): string[] {
  const sections = new Set(pages.map((page) => page.split('/')[1] ?? '').filter((section) => section !== ''));
  return [...sections].flatMap((section) => [`/${section}`, `/${section}/*`].filter((url) => !pages.includes(url)));
}

const contentSecurityPolicy = (scripts: string) =>
  `default-src 'none'; script-src ${scripts}; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; ` +
  "frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const PAGE_HEADERS = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The console: one page at all of its addresses, and its files, whose names contain their hash. */
export function serveConsole(
  fastify: FastifyInstance,
  { PUBLIC_URL }: Settings,
  { logger, pace }: Readonly<{ logger: Logger; pace: DocumentPace }>,
): void {
  const prefix = new URL(PUBLIC_URL).pathname.replace(/\/$/, '');
  const files = readConsole(prefix);
  if (!files) {
    logger.warn({}, 'the console was not built: run `npm run build`');
    return;
  }
  const sent = sendWith(pace);
  const page = (request: FastifyRequest, reply: FastifyReply) => {
    const policy = contentSecurityPolicy(scriptSources(request, PUBLIC_URL, `${prefix}/assets/`));
    return sent(request, reply.headers({ ...PAGE_HEADERS, 'content-security-policy': policy }), files.page, 'no-cache');
  };
  // An address that somebody types or cuts may end with a slash.
  for (const url of files.addresses.flatMap((page) => (page === '/' ? page : [page, `${page}/`]))) {
    fastify.get(url, page);
  }
  // The page also says what it does not have. Programs get JSON.
  for (const url of unknownPages(files.addresses)) {
    fastify.get(url, (request, reply) =>
      wantsPage(request.raw) ? page(request, reply.code(404)) : reply.callNotFound(),
    );
  }
  fastify.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
    const file = files.assets.get(request.params.name);
    return file ? sent(request, reply, file, IMMUTABLE) : reply.callNotFound();
  });
}

type Send = (request: FastifyRequest, reply: FastifyReply, file: ConsoleFile, caching: string) => Promise<FastifyReply>;

const sendWith =
  (pace: DocumentPace): Send =>
  async (request, reply, file, caching) => {
    const headers = { 'cache-control': caching, etag: file.etag, vary: 'accept-encoding' };
    if (request.headers['if-none-match']?.includes(file.etag)) return reply.headers(headers).code(304).send();
    const zipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '') ? file.gzipped() : undefined;
    const body = zipped ?? file.body;
    await pace.turn(request, body.length);
    void reply.headers(headers).type(file.type);
    if (zipped) void reply.header('content-encoding', 'gzip');
    return reply.send(body);
  };
