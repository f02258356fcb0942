import { createHash } from 'node:crypto';
import type { Columns } from './import-columns.js';
import type { ReadLine } from '../import-formats.js';
import { clockTimeOf, localTimeOf } from './local-time.js';
import { seatRange } from './seat-range.js';
import { offsetAt, type Show, type ShowFinder, showOf } from '../show-finder.js';

type Value = Readonly<Record<string, unknown>>;
type GoodLine = Readonly<{ line: number; value: Value }>;

// All ids that were made are kept, to tell two lines for the same seats. They take some 20 MB.
const MOST_MADE_IDS = 200_000;

/** Makes listings of the lines of a CSV file: finds the show, the seats of a range, and an id where the file has none. */
export class LineCompletion {
  readonly #made = new Map<string, number>();

  constructor(
    private readonly columns: Columns,
    private readonly shows: ShowFinder | undefined,
  ) {}

  async complete(lines: readonly ReadLine[]): Promise<ReadLine[]> {
    const good = lines.filter((line): line is GoodLine => 'value' in line);
    const days = new Set(good.flatMap(({ value }) => (namesShow(value) ? [dayAndTime(value).day ?? []].flat() : [])));
    const events = new Set(good.flatMap(({ value }) => eventOfLocalTime(value)));
    const shows = (await this.shows?.onDays(days)) ?? new Map<string, readonly Show[]>();
    const known = (await this.shows?.withIds(events)) ?? new Map<string, Show>();
    const completed: ReadLine[] = [];
    // One after the other: of two lines for the same seats the later one fails.
    for (const read of lines) {
      try {
        if (!('value' in read)) completed.push(read);
        else completed.push({ line: read.line, value: await this.#completed(read as GoodLine, shows, known) });
      } catch (error) {
        if (!(error instanceof LineError)) throw error;
        completed.push({ line: read.line, invalid: error.message });
      }
    }
    return completed;
  }

  async #completed(
    { line, value: given }: GoodLine,
    shows: ReadonlyMap<string, readonly Show[]>,
    known: ReadonlyMap<string, Show>,
  ): Promise<Value> {
    const { event, venue = '', event_date, event_time: _, seat_from = '', seat_thru = '', ...others } = given;
    const value: Record<string, unknown> = others;
    let show = known.get(text(value.event_id));
    if (namesShow(given)) {
      const { day, time } = dayAndTime(given);
      if (day === undefined) throw new LineError(`event_date: ${shown(event_date)} is not a date such as 11/27/2026`);
      const found = showOf({ event: text(event), venue: text(venue), day, time }, shows.get(day) ?? []);
      if (typeof found === 'string') throw new LineError(found);
      value.event_id = found.id;
      show = found;
    }
    if (show && LOCAL.test(text(value.in_hand_at))) value.in_hand_at = await atVenue(show, text(value.in_hand_at));
    const quantity = typeof value.quantity === 'number' ? value.quantity : undefined;
    const seats = seatRange(text(seat_from), text(seat_thru), quantity);
    if (typeof seats === 'string') throw new LineError(seats);
    if (seats.length > 0) {
      value.seats ??= seats;
      value.quantity ??= seats.length;
    }
    // Such files have one price. The wholesale variant then sells at it too, rather than at what the seller paid.
    if (this.columns.fields.includes('event') && value.price !== undefined) value.wholesale_price ??= value.price;
    if (this.columns.lacksId) value.listing_id = this.#idOf(line, value, [seat_from, seat_thru]);
    return value;
  }

  /** The same for the same seats of the same show, so that the next file replaces the listings of this one. */
  #idOf(line: number, { seller, event_id, section, row, seats }: Value, range: readonly unknown[]): string {
    const named = [seller ?? null, event_id, section, row ?? '', ...range, Array.isArray(seats) ? seats : null];
    const id = `pos-${createHash('sha256').update(JSON.stringify(named).toLowerCase()).digest('hex').slice(0, 20)}`;
    const before = this.#made.get(id);
    if (before !== undefined) {
      throw new LineError(`listing_id: is missing, and show, section, row and seats are those of line ${before}`);
    }
    if (this.#made.size >= MOST_MADE_IDS) {
      throw new LineError(`listing_id: is missing, and only ${MOST_MADE_IDS} lines of a file may lack it`);
    }
    this.#made.set(id, line);
    return id;
  }
}

class LineError extends Error {}

const LOCAL = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?$/;

function namesShow({ event, event_id: id }: Value): boolean {
  return text(event) !== '' && text(id) === '';
}

function eventOfLocalTime({ in_hand_at: inHandAt, event_id: id }: Value): readonly string[] {
  return text(id) !== '' && LOCAL.test(text(inHandAt)) ? [text(id)] : [];
}

function dayAndTime({ event_date: date, event_time: clock }: Value) {
  const [day, time] = (localTimeOf(text(date).replace(/(?:Z|[+-]\d\d:?\d\d)$/, '')) ?? '').split('T');
  return { day: day === '' ? undefined : day, time: clockTimeOf(text(clock)) ?? time };
}

/** The instant of a time by the clock of the venue. A day given alone begins at midnight. */
async function atVenue(show: Show, given: string): Promise<string> {
  const local = given.length === 10 ? `${given}T00:00:00` : given;
  const minutes = await offsetAt(show, local);
  const distance = Math.abs(minutes);
  const [hours, rest] = [Math.floor(distance / 60), distance % 60].map((part) => String(part).padStart(2, '0'));
  return `${local}${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function shown(value: unknown): string {
  return JSON.stringify(text(value).slice(0, 50));
}
