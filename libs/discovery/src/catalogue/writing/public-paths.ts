import { slugOf } from './slug.js';

/** The paths of the public pages, without PUBLIC_URL. Documents without an address of their own lead there. */
export const eventPath = (id: number): string => `/e/${id}`;

export const performerPath = (slug: string): string => `/p/${encodeURIComponent(slug)}`;

/** Contains the id, because two venues may have the same name. */
export const venuePath = (id: number, name: string): string => `/v/${encodeURIComponent(`${slugOf(name)}-${id}`)}`;

// The second group has the paths that were stored before there were public pages. In a text of a document, a quote is escaped.
const STORED = /"url":"\/(?:([epv]\/[^"\\]+)|(2\/events|performers|venues)\/([^"\\]+))"/g;

const PAGES: Readonly<Record<string, string>> = { '2/events': 'e', performers: 'p', venues: 'v' };

/** Turns the stored paths in the JSON of a document, also of the documents in it, into addresses below PUBLIC_URL. */
export function withPublicAddresses(json: string, publicUrl: string): string {
  return json.replace(STORED, (_, path: string | undefined, kind: string = '', name: string = '') => {
    return `"url":${JSON.stringify(`${publicUrl}/${path ?? `${PAGES[kind]}/${encodeURIComponent(name)}`}`)}`;
  });
}
