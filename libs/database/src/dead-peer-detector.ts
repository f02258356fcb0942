import pg from 'pg';
import { NO_COMPILATION } from './session.js';

export class DeadPeerError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(quietMs: number) {
    super(
      `the connection is dead: nothing came for ${Math.round(quietMs)} ms, and the server is not working on an answer`,
    );
  }
}

type Watched = {
  readonly client: pg.ClientBase;
  readonly heartbeat: boolean;
  progress: string;
  changedAt: number;
  received: number;
  /** Another connection turned out to be dead since this one last received data. */
  suspect: boolean;
};

type Session = Readonly<{ pid: number; state: string | null; wait_event: string | null; idle_ms: number }>;

type Internals = Readonly<{
  readyForQuery?: boolean;
  processID: number | null;
  _ended: boolean;
  getTransactionStatus(): string | null;
  connection: { stream: { bytesRead: number; writableLength: number; destroy(error?: Error): void } };
}>;

const CHECK_EVERY_MS = 250;

// Statements take milliseconds, so three quiet seconds are rare. A longer statement costs one probe every three seconds.
const PROBE_AFTER_MS = 3_000;
const PROBE_SUSPECT_AFTER_MS = 750;
const HEARTBEAT_EVERY_MS = 3_000;
const PROBE_WITHIN_MS = 3_000;

const IDLE_FOR_MS = 500;

/**
 * Finds connections that died without FIN or RST, e.g. because a firewall dropped them. Keep-alive does not find them behind a proxy, and a
 * statement timeout cannot tell a dead connection from a long statement. After 3 s without an answer, a second connection asks the server
 * whether it is working on the statement. If not, the detector ends the backend (it may hold locks) and destroys the connection.
 */
export class DeadPeerDetector {
  readonly #config: pg.ClientConfig;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;
  #probing = false;

  constructor({ options: _session, ...config }: pg.ClientConfig) {
    this.#config = { ...config, options: NO_COMPILATION };
  }

  /** A connection that only listens needs `heartbeat`, because it never waits for an answer. */
  watch(client: pg.ClientBase, { heartbeat = false } = {}): void {
    const changedAt = performance.now();
    this.#watched.add({ client, heartbeat, progress: '', changedAt, received: 0, suspect: false });
    this.#timer ??= setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
  }

  #check(): void {
    const quiet: Watched[] = [];
    for (const watched of this.#watched) {
      if (internals(watched)._ended) this.#watched.delete(watched);
      else if (isQuiet(watched)) quiet.push(watched);
    }
    if (this.#watched.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    if (quiet.length === 0 || this.#probing) return;
    this.#probing = true;
    // A failed probe says nothing about the connections.
    void this.#probe(quiet)
      .catch(() => undefined)
      .finally(() => (this.#probing = false));
  }

  async #probe(quiet: readonly Watched[]): Promise<void> {
    const probe = new pg.Client({
      ...this.#config,
      application_name: 'willcall probe',
      connectionTimeoutMillis: PROBE_WITHIN_MS,
      query_timeout: PROBE_WITHIN_MS,
    });
    probe.on('error', () => undefined);
    try {
      await probe.connect();
      const pids = quiet.map((watched) => internals(watched).processID);
      const { rows } = await probe.query<Session>(SESSIONS, [pids]);
      const sessions = new Map(rows.map((row) => [row.pid, row]));
      // A pooler in between reports process ids of its own.
      const isSessionListed = sessions.has(internals({ client: probe }).processID ?? 0);
      const dead = quiet.filter((watched) => {
        // The answer arrived during the probe: this process was slow, not the server.
        if (progressOf(watched) !== watched.progress) return false;
        const verdict = isSessionListed ? verdictOn(sessions.get(internals(watched).processID ?? 0)) : 'unknown';
        if (verdict === 'working' || verdict === 'unknown') watched.changedAt = performance.now();
        return verdict === 'dead';
      });
      if (dead.length > 0) await this.#drop(dead, probe);
    } finally {
      internals({ client: probe }).connection.stream.destroy();
    }
  }

  async #drop(dead: readonly Watched[], probe: pg.Client): Promise<void> {
    const pids = dead.map((watched) => internals(watched).processID);
    await probe.query(END_SESSIONS, [pids]).catch(() => undefined);
    for (const watched of dead) {
      this.#watched.delete(watched);
      internals(watched).connection.stream.destroy(new DeadPeerError(performance.now() - watched.changedAt));
    }
    const since = Math.min(...dead.map(({ changedAt }) => changedAt));
    for (const watched of this.#watched) {
      if (watched.changedAt > since + IDLE_FOR_MS) continue;
      watched.suspect = true;
      if (!isBusy(watched)) sendHeartbeat(watched);
    }
  }
}

function isQuiet(watched: Watched): boolean {
  const now = performance.now();
  const progress = progressOf(watched);
  if (progress !== watched.progress) {
    const received = internals(watched).connection.stream.bytesRead;
    const suspect = watched.suspect && received === watched.received;
    Object.assign(watched, { progress, changedAt: now, received, suspect });
    return false;
  }
  const quietMs = now - watched.changedAt;
  if (isBusy(watched)) return quietMs >= (watched.suspect ? PROBE_SUSPECT_AFTER_MS : PROBE_AFTER_MS);
  if (watched.heartbeat && quietMs >= HEARTBEAT_EVERY_MS) sendHeartbeat(watched);
  return false;
}

function progressOf(watched: Pick<Watched, 'client'>): string {
  const { bytesRead, writableLength } = internals(watched).connection.stream;
  return `${isBusy(watched)} ${bytesRead} ${writableLength}`;
}

function isBusy(watched: Pick<Watched, 'client'>): boolean {
  return internals(watched).readyForQuery === false;
}

/** Makes a dead connection wait for an answer. Not inside a transaction: that would reset its idle timeout. */
function sendHeartbeat(watched: Watched): void {
  if (internals(watched).getTransactionStatus() !== 'I') return;
  watched.client.query('select').catch(() => undefined);
}

function internals({ client }: Pick<Watched, 'client'>): Internals {
  return client as unknown as Internals;
}

function verdictOn(session: Session | undefined): 'dead' | 'working' | 'idle' | 'unknown' {
  if (!session) return 'dead';
  if (session.state === null || session.state === 'disabled') return 'unknown';
  if (session.wait_event === 'ClientWrite') return 'dead';
  if (!session.state.startsWith('idle')) return 'working';
  return session.idle_ms >= IDLE_FOR_MS ? 'dead' : 'idle';
}

const SESSIONS = `
  select pid, state, wait_event, 1000 * extract(epoch from clock_timestamp() - state_change)::float8 as idle_ms
  from pg_stat_activity where pid = any($1) or pid = pg_backend_pid()`;

const END_SESSIONS = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where pid = any($1) and usename = session_user and (state like 'idle%' or wait_event = 'ClientWrite')`;
