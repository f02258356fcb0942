import { hash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catalogueIdAtEnd, catalogueIdOf } from '../catalogue-id.js';
import { Settings } from '#base/settings';
import { Clock } from '#base/clock';
import { CatalogueSearch } from '../catalogue-search.js';
import type { EventSearch } from '../search/query/event-search.js';
import { ApiErrors, NOT_MODIFIED } from '#web/api-errors';
import { AddressLimit } from '#web/address-limit';
import { eventPath, performerPath, readEvent, readPerformer, readVenue, venuePath } from './directory-documents.js';
import { DirectoryPages, type EventPageList, type Page } from './directory-pages.js';

const PER_PAGE = 30;
const LAST_PAGE = 1_000;
const LONGEST_QUERY = 200;
const IN_SITEMAP = 5_000;
const PARSED_IN_A_TURN = 20;
const HOUR_MS = 3_600_000;

// Prices follow the stock within seconds.
const CACHING = 'public, max-age=15, stale-while-revalidate=300';

const PAGE = { 'text/html': { schema: { type: 'string' } } } as const;

type Query = Readonly<Record<string, string | readonly string[] | undefined>>;
type Exchange = Readonly<{ request: FastifyRequest; reply: FastifyReply }>;

/** A public directory for people, over the same index as the discovery API. Pages without scripts. */
@ApiTags('public pages')
@Controller()
export class DirectoryController {
  private readonly pages: DirectoryPages;
  private sitemapText: Readonly<{ text: Promise<string>; until: number }> | undefined;

  constructor(
    private readonly catalogue: CatalogueSearch,
    @Inject(Settings) private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly limit: AddressLimit,
  ) {
    this.pages = new DirectoryPages(settings.PUBLIC_URL);
  }

  @Get('e')
  @ApiOperation({ operationId: 'showEvents', summary: 'Upcoming events, or those that `q` finds, as a page' })
  @ApiOkResponse({ content: PAGE })
  @ApiResponse(NOT_MODIFIED)
  async start(@Query() query: Query, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const q = typeof query['q'] === 'string' ? query['q'].trim().slice(0, LONGEST_QUERY) : '';
    this.limit.admit(request);
    const list = await this.upcoming(q === '' ? {} : { q }, query);
    this.send({ request, reply }, this.pages.start(q, list));
  }

  @Get('e/:name')
  @ApiOperation({ operationId: 'showEvent', summary: 'One event as a page' })
  @ApiOkResponse({ content: PAGE })
  @ApiResponse(NOT_MODIFIED)
  @ApiErrors(40400)
  async event(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.limit.admit(request);
    const text = await this.one('event', catalogueIdAtEnd(name));
    const page = text && this.pages.event(readEvent(text), this.clock.now());
    this.send({ request, reply }, page);
  }

  @Get('p/:name')
  @ApiOperation({ operationId: 'showPerformer', summary: 'A performer and the upcoming events, as a page' })
  @ApiOkResponse({ content: PAGE })
  @ApiResponse(NOT_MODIFIED)
  @ApiErrors(40400)
  async performer(
    @Param('name') name: string,
    @Query() query: Query,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.limit.admit(request);
    const text = await this.named('performer', [name, name.toLowerCase()], catalogueIdOf(name));
    const performer = text === undefined ? undefined : readPerformer(text);
    const clause = performer && { specificity: 'any' as const, ids: [performer.id] };
    const list = clause && (await this.upcoming({ performers: [clause] }, query));
    this.send({ request, reply }, performer && list && this.pages.performer(performer, list));
  }

  @Get('v/:name')
  @ApiOperation({ operationId: 'showVenue', summary: 'A venue and the upcoming events, as a page' })
  @ApiOkResponse({ content: PAGE })
  @ApiResponse(NOT_MODIFIED)
  @ApiErrors(40400)
  async venue(
    @Param('name') name: string,
    @Query() query: Query,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.limit.admit(request);
    const text = await this.named('venue', [name], catalogueIdAtEnd(name));
    const venue = text === undefined ? undefined : readVenue(text);
    const list = venue && (await this.upcoming({ venue: { ids: [venue.id] } }, query));
    this.send({ request, reply }, venue && list && this.pages.venue(venue, list));
  }

  @Get('sitemap.xml')
  @ApiOperation({ operationId: 'showSitemap', summary: 'The addresses of the public pages' })
  @ApiOkResponse({ content: { 'application/xml': { schema: { type: 'string' } } } })
  async sitemap(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    this.limit.admit(request);
    const now = this.clock.now();
    // Reading thousands of documents takes a while, so it is done once an hour, for all who ask meanwhile.
    if (!this.sitemapText || this.sitemapText.until <= now) {
      const text = this.readSitemap();
      this.sitemapText = { text, until: now + HOUR_MS };
      text.catch(() => (this.sitemapText = undefined));
    }
    const text = await this.sitemapText.text;
    void reply.header('cache-control', 'public, max-age=3600').type('application/xml; charset=utf-8').send(text);
  }

  @Get('robots.txt')
  @ApiOperation({ operationId: 'showRobots', summary: 'What search engines may read' })
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  robots(@Res() reply: FastifyReply): void {
    const { pathname } = new URL(`${this.settings.PUBLIC_URL}/`);
    const allowed = ['e', 'p/', 'v/', 'sitemap.xml'].map((path) => `Allow: ${pathname}${path}`);
    const lines = [
      'User-agent: *',
      ...allowed,
      `Disallow: ${pathname}`,
      `Sitemap: ${this.settings.PUBLIC_URL}/sitemap.xml`,
    ];
    void reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  }

  private async readSitemap(): Promise<string> {
    const paging = { page: 1, perPage: IN_SITEMAP };
    const [events, performers, venues] = await Promise.all([
      this.catalogue.events({ ...paging, ...this.fromNow() }),
      this.catalogue.performers(paging),
      this.catalogue.venues(paging),
    ]);
    const paths = [
      'e',
      ...(await eachInTurns(events.documents, ({ json }) => eventPath(readEvent(json)))),
      ...(await eachInTurns(performers.documents, ({ json }) => performerPath(readPerformer(json)))),
      ...(await eachInTurns(venues.documents, ({ json }) => venuePath(readVenue(json)))),
    ];
    const urls = paths.map((path) => `<url><loc>${escaped(`${this.settings.PUBLIC_URL}/${path}`)}</loc></url>`);
    const head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
    return `${head}${urls.join('')}</urlset>\n`;
  }

  /** Finds by slug, or else by id. */
  private async named(
    kind: 'performer' | 'venue',
    slugs: readonly string[],
    id: number | undefined,
  ): Promise<string | undefined> {
    const search = { slugs, page: 1, perPage: 1 };
    const found = kind === 'performer' ? this.catalogue.performers(search) : this.catalogue.venues(search);
    return (await found).documents[0]?.json ?? (await this.one(kind, id));
  }

  private async one(kind: 'event' | 'performer' | 'venue', id: number | undefined): Promise<string | undefined> {
    return id === undefined ? undefined : this.catalogue.one(kind, id);
  }

  private fromNow(): Pick<EventSearch, 'visibleAt' | 'sort'> {
    return { visibleAt: this.clock.now(), sort: { field: 'datetime_utc', direction: 'asc' } };
  }

  private async upcoming(filter: Partial<EventSearch>, query: Query): Promise<EventPageList> {
    const asked = Number(query['page']);
    const page = Number.isInteger(asked) && asked >= 1 && asked <= LAST_PAGE ? asked : 1;
    const paging = { page, perPage: PER_PAGE };
    const { total, documents } = await this.catalogue.events({ ...paging, ...filter, ...this.fromNow() });
    return { ...paging, total, events: documents.map(({ json }) => readEvent(json)) };
  }

  /** Answers 404 if there is no page. */
  private send({ request, reply }: Exchange, found: Page | undefined | ''): void {
    const { text, policy } = found || this.pages.notFound();
    const etag = `"${hash('sha1', text, 'base64url')}"`;
    void reply.headers({
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cache-control': found ? CACHING : 'no-cache',
      etag,
    });
    if (found && request.headers['if-none-match']?.includes(etag)) return void reply.code(304).send();
    void reply
      .code(found ? 200 : 404)
      .type('text/html; charset=utf-8')
      .send(text);
  }
}

/** Some in each turn of the event loop, because thousands together would delay all other requests. */
async function eachInTurns<T, R>(all: readonly T[], convert: (one: T) => R): Promise<R[]> {
  const converted: R[] = [];
  for (const one of all) {
    if (converted.length % PARSED_IN_A_TURN === 0) await turn();
    converted.push(convert(one));
  }
  return converted;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
