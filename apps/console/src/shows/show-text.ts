import type { ShowSummary } from '#desk/show-list.contract';
import { venueTime } from '../words/formats.js';
import { showWords as words } from './show-words.js';

export const hasDate = ({ datetime_local: local, date_tbd }: ShowSummary): boolean => local !== null && !date_tbd;

/** The time by the clock of the venue, as far as it is known. */
export function showTime({ datetime_local: local, date_tbd, time_tbd }: ShowSummary): string {
  if (local === null || date_tbd) return words.dateTbd;
  return time_tbd ? `${venueTime(local).replace(/,? \d{2}:\d{2}$/, '')}, ${words.tbd}` : venueTime(local);
}

export function venueText({ venue }: ShowSummary): string {
  return venue === null ? '–' : [venue.name, venue.city, venue.state].filter(Boolean).join(', ');
}
