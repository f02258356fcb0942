import type { LiveOrderChange } from '#orders/live-orders.contract';
import { ApiError } from '../api/api-error.js';
import { untilSignedInAgain } from '../api/expired-session.js';
import { addressOf, askOnce } from '../api/http.js';
import { isObject } from '../api/is-object.js';

/** `missed`: some changes of orders may not have been announced. */
export type LiveNews =
  Readonly<{ kind: 'changes'; changes: readonly LiveOrderChange[] }> | Readonly<{ kind: 'missed' }>;

/** Somebody has opened these orders; `inbox`: the person has a new notice. */
export type PeopleNews = Readonly<{ orders: readonly string[]; inbox: boolean }>;

type Handlers = Readonly<{
  onPeople: (news: PeopleNews) => void;
  onNews: (news: LiveNews, lastEventId: string | undefined) => void;
  onPosition: (lastEventId: string) => void;
  onLost: () => void;
}>;

const ADDRESS = addressOf('GET orders/changes/live', {});
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
// The server sends something every 15 s.
const SILENCE_MS = 40_000;
const LOOK_EVERY_MS = 5_000;

/** Whoever cannot read what has changed reads everything again. */
function newsIn(data: unknown): LiveNews {
  const { changes } = isObject(data) ? data : {};
  return Array.isArray(changes) && changes.every(isChange) ? { kind: 'changes', changes } : { kind: 'missed' };
}

function peopleIn(data: unknown): PeopleNews {
  const { orders, inbox } = isObject(data) ? data : {};
  return { orders: Array.isArray(orders) ? orders.map(String) : [], inbox: inbox === true };
}

const isChange = (change: unknown): change is LiveOrderChange =>
  isObject(change) &&
  typeof change['order_id'] === 'string' &&
  typeof change['version'] === 'number' &&
  typeof change['desk_version'] === 'number';

/** The one connection of the browser. It connects again by itself, and asks for the password if the session has ended. */
export class LiveSource {
  private events: EventSource | undefined;
  private heardAt = Date.now();
  private waitMs = FIRST_WAIT_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  private readonly watch = setInterval(() => this.look(), LOOK_EVERY_MS);
  private readonly reconnect = () => this.open();

  constructor(
    private lastEventId: string | undefined,
    private readonly handlers: Handlers,
  ) {
    window.addEventListener('online', this.reconnect);
    this.open();
  }

  close(): void {
    this.closed = true;
    window.removeEventListener('online', this.reconnect);
    clearInterval(this.watch);
    clearTimeout(this.timer);
    this.events?.close();
  }

  private open(): void {
    if (this.closed) return;
    clearTimeout(this.timer);
    this.events?.close();
    this.heardAt = Date.now();
    const resumed = this.lastEventId;
    const events = new EventSource(resumed === undefined ? ADDRESS : `${ADDRESS}?after=${resumed}`);
    this.events = events;
    events.addEventListener('position', ({ lastEventId }) => {
      // Covers what changed between the first answers of the pages and this moment.
      if (this.lastEventId === undefined) this.handlers.onNews({ kind: 'missed' }, lastEventId);
      this.heard(lastEventId);
      this.handlers.onPosition(lastEventId);
    });
    events.addEventListener('heartbeat', ({ lastEventId }) => {
      this.heard(lastEventId);
      this.handlers.onPosition(lastEventId);
    });
    events.addEventListener('people', ({ data }: MessageEvent<string>) =>
      this.handlers.onPeople(peopleIn(JSON.parse(data))),
    );
    events.addEventListener('reset', () => this.handlers.onNews({ kind: 'missed' }, this.lastEventId));
    events.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      this.heard(lastEventId);
      this.handlers.onNews(newsIn(JSON.parse(data)), lastEventId);
    };
    events.onerror = () => {
      this.handlers.onLost();
      if (events.readyState === EventSource.CLOSED) void this.refused();
    };
  }

  private heard(lastEventId: string): void {
    this.heardAt = Date.now();
    this.waitMs = FIRST_WAIT_MS;
    this.lastEventId = lastEventId;
  }

  /** The browser does not say why. If the session has ended, this asks for the password. */
  private async refused(): Promise<void> {
    const isExpired = await askOnce('GET session').then(
      () => false,
      (error: unknown) => error instanceof ApiError && error.status === 401,
    );
    if (this.closed) return;
    if (isExpired) {
      await untilSignedInAgain();
      this.open();
      return;
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(this.reconnect, this.waitMs);
    this.waitMs = Math.min(2 * this.waitMs, LONGEST_WAIT_MS);
  }

  /** A connection can be dead without an error, e.g. after the machine slept. */
  private look(): void {
    if (Date.now() - this.heardAt <= SILENCE_MS || this.events?.readyState !== EventSource.OPEN) return;
    this.handlers.onLost();
    this.open();
  }
}
