import { LiveSource, type LiveNews, type PeopleNews } from './live-source.js';
import { changesWereHeard, changesWereLost } from '../api/connection.js';

/** Messages between the tabs of one browser. Only one of them has a connection. */
type TabMessage =
  | Readonly<{ kind: 'news'; news: LiveNews; lastEventId: string | undefined }>
  | Readonly<{ kind: 'state'; lostAt: string | null; lastEventId: string | undefined }>
  | Readonly<{ kind: 'people'; people: PeopleNews }>
  | Readonly<{ kind: 'hello' }>;

type Listener = (news: LiveNews) => void;

const NAME = 'willcall-live';
/** While no changes arrive. */
const ASK_EVERY_MS = 5_000;
const listeners = new Set<Listener>();

/** Calls the listener with every change of an order that this person may see. */
export function onOrderChanges(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const peopleListeners = new Set<(news: PeopleNews) => void>();

/** Calls the listener when somebody opens an order, or this person gets a notice. Some of it may be missed. */
export function onPeopleNews(listener: (news: PeopleNews) => void): () => void {
  peopleListeners.add(listener);
  return () => peopleListeners.delete(listener);
}

const tellOfPeople = (people: PeopleNews) => peopleListeners.forEach((listener) => listener(people));

const tell = (news: LiveNews) => listeners.forEach((listener) => listener(news));

/** Follows the changes of orders until the returned function is called. All tabs of the browser share one connection. */
export function followOrderChanges(): () => void {
  const channel = new BroadcastChannel(NAME);
  const stop = new AbortController();
  let lastEventId: string | undefined;
  let lostAt: string | null = null;
  let source: LiveSource | undefined;

  let asking: ReturnType<typeof setInterval> | undefined;
  const show = (since: string | null) => {
    lostAt = since;
    clearInterval(asking);
    if (since === null) return changesWereHeard();
    changesWereLost(since);
    // The server may be up: some proxies hold back a response without an end.
    asking = setInterval(() => tell({ kind: 'missed' }), ASK_EVERY_MS);
  };
  const post = (message: TabMessage) => {
    try {
      channel.postMessage(message);
    } catch {
      // When people leave the page, the browser closes the channel first and then reports the connection as lost.
    }
  };

  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'hello') {
      if (source) post({ kind: 'state', lostAt, lastEventId });
      return;
    }
    if (data.kind === 'people') return tellOfPeople(data.people);
    lastEventId = data.lastEventId ?? lastEventId;
    if (data.kind === 'state') show(data.lostAt);
    else tell(data.news);
  };

  const lead = () =>
    new Promise<void>((resolve) => {
      source = new LiveSource(lastEventId, {
        onNews: (news, id) => {
          lastEventId = id;
          tell(news);
          post({ kind: 'news', news, lastEventId });
        },
        onPeople: (people) => {
          tellOfPeople(people);
          post({ kind: 'people', people });
        },
        onPosition: (id) => {
          lastEventId = id;
          if (lostAt !== null) show(null);
          post({ kind: 'state', lostAt, lastEventId });
        },
        onLost: () => {
          if (lostAt !== null) return;
          show(new Date().toISOString());
          post({ kind: 'state', lostAt, lastEventId });
        },
      });
      stop.signal.addEventListener('abort', () => {
        source?.close();
        resolve();
      });
    });

  post({ kind: 'hello' });
  // Without locks (plain http beyond this machine) each tab has its own connection.
  const leading = navigator.locks ? navigator.locks.request(NAME, { signal: stop.signal }, lead) : lead();
  leading.catch(() => undefined);
  return () => {
    stop.abort();
    clearInterval(asking);
    channel.close();
    changesWereHeard();
  };
}
