import { createHash } from 'node:crypto';
import { Html, html } from '#web/html';
import { ICON } from '#web/page-icon';
import {
  type DirectoryEvent,
  type DirectoryPerformer,
  type DirectoryVenue,
  eventPath,
  performerPath,
  venuePath,
} from './directory-documents.js';
import { STYLE } from '#web/page-style';
import { dayText, placeText, priceText, timeText, whenText } from './directory-texts.js';
import { StructuredData } from './structured-data.js';

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const STYLE_HASH = sha256(STYLE);

/** An HTML page with the Content-Security-Policy that it needs. */
export type Page = Readonly<{ text: string; policy: string }>;

export type EventPageList = Readonly<{
  events: readonly DirectoryEvent[];
  total: number;
  page: number;
  perPage: number;
}>;

/** `site` is PUBLIC_URL. */
export class DirectoryPages {
  private readonly prefix: string;
  private readonly data: StructuredData;

  constructor(private readonly site: string) {
    this.prefix = new URL(site).pathname.replace(/\/$/, '');
    this.data = new StructuredData((path) => `${site}/${path}`);
  }

  start(q: string, list: EventPageList): Page {
    const title = q === '' ? 'Events and tickets' : `Results for “${q}”`;
    const body = html`<h1>${title}</h1>
      ${list.events.length === 0 && html`<p class="soft">No upcoming event matches. Try fewer words, or only a city.</p>`}
      ${this.events(list.events)} ${this.paging('e', { q }, list)}`;
    return this.page({ title, path: 'e', q }, body);
  }

  event(event: DirectoryEvent, now: number): Page {
    const { title, venue, performers, stats } = event;
    const isOver = Date.parse(`${event.visible_until ?? event.datetime_utc}Z`) < now;
    const body = html`<h1>${title}</h1>
      <p class="when">${whenText(event)} ${!event.date_tbd && html`<span class="soft">local time</span>`}</p>
      <p>
        ${this.venueLink(venue)}
        <span class="soft">${[venue.address, placeText(venue)].filter(Boolean).join(', ')}</span>
      </p>
      <div class="offer">${offerText(stats, isOver)}</div>
      ${
        performers.length > 0 &&
        html`<h2>Who is on</h2>
          <p>${performers.map((performer, at) => html`${at > 0 && ' · '}${this.performerLink(performer)}`)}</p>`
      }`;
    const data = this.data.event(event);
    return this.page({ title: `${title}, ${dayText(event)}, ${venue.name}`, path: eventPath(event), data }, body);
  }

  performer(performer: DirectoryPerformer, list: EventPageList): Page {
    const path = performerPath(performer);
    const body = html`<h1>${performer.name}</h1>
      ${this.upcoming(list)} ${this.paging(path, {}, list)}`;
    const data = this.data.performer(performer, list.events);
    return this.page({ title: `${performer.name}: dates and tickets`, path, data }, body);
  }

  venue(venue: DirectoryVenue, list: EventPageList): Page {
    const path = venuePath(venue);
    const body = html`<h1>${venue.name}</h1>
      <p class="soft">${[venue.address, placeText(venue), venue.postal_code].filter(Boolean).join(', ')}</p>
      ${this.upcoming(list)} ${this.paging(path, {}, list)}`;
    const data = this.data.venue(venue, list.events);
    return this.page({ title: `${venue.name}: events and tickets`, path, data }, body);
  }

  notFound(): Page {
    const body = html`<h1>Not found</h1>
      <p class="soft">There is no page here. Search for an event, a performer or a city instead.</p>`;
    return this.page({ title: 'Not found', path: 'e' }, body);
  }

  private upcoming(list: EventPageList): Html {
    return html`<h2>Upcoming events</h2>
      ${list.events.length === 0 && html`<p class="soft">Nothing is announced at the moment.</p>`}
      ${this.events(list.events)}`;
  }

  private events(events: readonly DirectoryEvent[]): Html | false {
    if (events.length === 0) return false;
    return html`<ul class="list">
      ${events.map(
        (event) =>
          html`<li>
            <div class="day">${dayText(event)}</div>
            <div>
              <p class="title"><a href="${this.prefix}/${eventPath(event)}">${event.title}</a></p>
              <p class="soft">
                ${[timeText(event), event.venue.name, placeText(event.venue)].filter(Boolean).join(' · ')}
              </p>
            </div>
            <div class="price">
              ${event.stats.lowest_price === null ? html`<span class="soft">–</span>` : `from ${priceText(event.stats.lowest_price)}`}
            </div>
          </li>`,
      )}
    </ul>`;
  }

  private paging(
    path: string,
    query: Readonly<Record<string, string>>,
    { page, perPage, total }: EventPageList,
  ): Html | false {
    const address = (at: number) =>
      `${this.prefix}/${path}?${new URLSearchParams({ ...query, page: String(at) }).toString()}`;
    if (total <= perPage && page === 1) return false;
    return html`<nav class="pages" aria-label="Pages">
      <span>${page > 1 && html`<a href="${address(page - 1)}" rel="prev">← Earlier</a>`}</span>
      <span>${page * perPage < total && html`<a href="${address(page + 1)}" rel="next">Later →</a>`}</span>
    </nav>`;
  }

  private venueLink(venue: DirectoryVenue): Html {
    return html`<a href="${this.prefix}/${venuePath(venue)}">${venue.name}</a>`;
  }

  private performerLink(performer: DirectoryPerformer): Html {
    return html`<a href="${this.prefix}/${performerPath(performer)}">${performer.name}</a>`;
  }

  private page(
    { title, path, q = '', data }: Readonly<{ title: string; path: string; q?: string; data?: string }>,
    body: Html,
  ): Page {
    const script = data === undefined ? "'none'" : sha256(data);
    const { text } = html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title}</title>
          <link rel="canonical" href="${this.site}/${path}" />
          <link rel="icon" href="${new Html(ICON)}" />
          ${new Html(`<style>${STYLE}</style>`)}
          ${data !== undefined && new Html(`<script type="application/ld+json">${data}</script>`)}
        </head>
        <body>
          <header>
            <div class="wrap">
              <a href="${this.prefix}/e">Events</a>
              <form action="${this.prefix}/e" role="search">
                <input
                  type="search"
                  name="q"
                  value="${q}"
                  maxlength="200"
                  aria-label="Search events"
                  placeholder="Artist, team, venue or city"
                />
                <button>Search</button>
              </form>
            </div>
          </header>
          <main class="wrap">${body}</main>
        </body>
      </html>`;
    return {
      text,
      policy: `default-src 'none'; script-src ${script}; style-src ${STYLE_HASH}; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    };
  }
}

function offerText({ lowest_price: lowest, listing_count: count }: DirectoryEvent['stats'], isOver: boolean): Html {
  if (isOver) return html`<span>This event is over.</span>`;
  if (lowest === null || count === 0) return html`<span>No tickets for sale at the moment.</span>`;
  const offers = count === null ? '' : count === 1 ? '1 offer' : `${count} offers`;
  return html`<strong>from ${priceText(lowest)}</strong> <span class="soft">${offers}, before fees and taxes</span>`;
}
