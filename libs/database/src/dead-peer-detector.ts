import type pg from 'pg';
import { PrimaryClient } from './primary-client.js';
import { NO_COMPILATION } from './session.js';
import { END_SESSIONS, type EndReason, type Session, SESSIONS, verdictOn } from './session-verdict.js';
import { WatchedConnection } from './watched-connection.js';

export class DeadPeerError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(quietMs: number) {
    super(
      `the connection is dead: nothing came for ${Math.round(quietMs)} ms, and the server is not working on an answer`,
    );
  }
}

type Suspect = Readonly<{ watched: WatchedConnection; session: Session; reason: EndReason }>;

const CHECK_EVERY_MS = 250;

const PROBE_WITHIN_MS = 3_000;
// A session that does not get the processor looks dead. Where processor time is short, the probe takes long too.
const SLOW_PROBE_MS = 1_000;
const SLOW_PROBE_CONNECTS = 4;
const DEAD_FOR_MS = 3_000;
const SILENT_FOR_MS = 6_000;
// Each new connection costs the server processor time.
const END_EVERY_MS = 1_000;
const TIMES_AFTER_PROOF = 4;
const PROOF_FOR_MS = 3_000;
const ASK_AGAIN_AFTER_MS = 1_000;

type Listener = (reason: EndReason) => void;
const listeners = new Set<Listener>();

/** Calls `listener` for each connection of this process that was dead, until the returned function is called. */
export function onConnectionEnded(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Finds connections that died without FIN or RST, e.g. because a firewall dropped them. Keep-alive does not find them behind a proxy, and a
 * statement timeout cannot tell a dead connection from a long statement. After 3 s without an answer, a second connection asks the server
 * whether it is working on the statement. If it is not, and has not been 3 s later, the detector ends the backend (it may hold locks) and
 * destroys the connection. A server that is short of processor time looks the same, so a slow probe counts for nothing, and one connection a
 * second ends. If its backend was gone a second later, it had got the processor, so the connection was dead: then four times as many end.
 */
export class DeadPeerDetector {
  readonly #config: pg.ClientConfig;
  readonly #watched = new Set<WatchedConnection>();
  #timer: NodeJS.Timeout | undefined;
  #probing = false;
  #quickestConnectMs = Infinity;
  #ended: Readonly<{ pids: readonly number[]; at: number }> = { pids: [], at: -Infinity };

  constructor(config: pg.ClientConfig) {
    this.#config = { ...config, options: NO_COMPILATION };
  }

  /**
   * A connection that only listens needs `heartbeat`, because it never waits for an answer.
   * @param options.connectMs how long it took to connect
   */
  watch(client: pg.ClientBase, { heartbeat = false, connectMs = Infinity } = {}): void {
    this.#quickestConnectMs = Math.min(this.#quickestConnectMs, connectMs);
    this.#watched.add(new WatchedConnection(client, heartbeat));
    this.#timer ??= setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
  }

  #check(): void {
    const quiet: WatchedConnection[] = [];
    for (const watched of this.#watched) {
      if (watched.hasEnded) this.#watched.delete(watched);
      else if (watched.isQuiet()) quiet.push(watched);
    }
    if (this.#watched.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    const now = performance.now();
    if (this.#probing || !quiet.some(({ askAt }) => askAt <= now)) return;
    this.#probing = true;
    // A failed probe says nothing about the connections.
    void this.#probe(quiet)
      .catch(() => quiet.forEach((watched) => watched.acquit(ASK_AGAIN_AFTER_MS)))
      .finally(() => (this.#probing = false));
  }

  async #probe(quiet: readonly WatchedConnection[]): Promise<void> {
    const client = new PrimaryClient({
      ...this.#config,
      application_name: 'willcall probe',
      connectionTimeoutMillis: PROBE_WITHIN_MS,
      query_timeout: PROBE_WITHIN_MS,
    });
    client.on('error', () => undefined);
    const probe = new WatchedConnection(client, false);
    try {
      const begun = performance.now();
      await client.connect();
      const { rows } = await client.query<Session>(SESSIONS, [[...quiet.map(({ pid }) => pid), ...this.#ended.pids]]);
      if (performance.now() - begun > this.#slowMs) throw new Error('the server is slow');
      const sessions = new Map(rows.map((row) => [row.pid, row]));
      // A pooler in between reports process ids of its own.
      if (!sessions.has(probe.pid)) return quiet.forEach((watched) => watched.acquit());
      const suspects = quiet.flatMap((watched) => this.#judge(watched, sessions.get(watched.pid)));
      if (suspects.length === 0) return;
      // The others may have died with them. Somebody would wait for them only later.
      for (const watched of this.#watched) watched.test();
      await this.#endSome(suspects.filter(isDead), this.#isProof(sessions), client);
    } finally {
      probe.destroy();
    }
  }

  get #slowMs(): number {
    const connectMs = Number.isFinite(this.#quickestConnectMs) ? this.#quickestConnectMs : 0;
    return Math.max(SLOW_PROBE_MS, SLOW_PROBE_CONNECTS * connectMs);
  }

  #judge(watched: WatchedConnection, session: Session | undefined): Suspect[] {
    // The answer arrived during the probe: this process was slow, not the server.
    if (watched.hasProgressed) return [];
    const verdict = verdictOn(session);
    if (verdict === 'working' || verdict === 'unknown') watched.acquit();
    else if (verdict === 'idle') watched.acquit(ASK_AGAIN_AFTER_MS);
    // There is nothing left that a lack of processor time could keep from answering.
    else if (!session) this.#end(watched, 'gone');
    else return [{ watched, session, reason: verdict }];
    return [];
  }

  /** The sessions that were ended last got the processor at once. */
  #isProof(sessions: ReadonlyMap<number, Session>): boolean {
    const { pids, at } = this.#ended;
    return performance.now() - at < PROOF_FOR_MS && !pids.some((pid) => sessions.has(pid));
  }

  async #endSome(dead: readonly Suspect[], isProof: boolean, probe: pg.Client): Promise<void> {
    const nextAt = () => this.#ended.at + END_EVERY_MS;
    const most = isProof ? TIMES_AFTER_PROOF * this.#ended.pids.length : 1;
    const ripe = isProof ? dead : dead.filter(({ watched }) => watched.silentMs >= SILENT_FOR_MS);
    const next = ripe.toSorted((one, other) => weight(other) - weight(one)).slice(0, most);
    if (next.length > 0 && nextAt() <= performance.now()) await this.#endSessions(next, probe);
    for (const { watched } of dead) watched.askAt = Math.max(nextAt(), performance.now() + CHECK_EVERY_MS);
  }

  async #endSessions(dead: readonly Suspect[], probe: pg.Client): Promise<void> {
    const judged = [dead.map(({ session }) => session.pid), dead.map(({ session }) => session.state_changed)];
    const { rows } = await probe.query<{ pid: number }>(END_SESSIONS, judged);
    const pids = rows.map(({ pid }) => pid);
    if (pids.length > 0) this.#ended = { pids, at: performance.now() };
    for (const { watched, reason } of dead) {
      if (pids.includes(watched.pid)) this.#end(watched, reason);
      else watched.acquit();
    }
  }

  #end(watched: WatchedConnection, reason: EndReason): void {
    this.#watched.delete(watched);
    watched.destroy(new DeadPeerError(watched.silentMs));
    for (const listener of listeners) listener(reason);
  }
}

function isDead({ watched, session }: Suspect): boolean {
  return watched.accuse(session.state_changed, DEAD_FOR_MS);
}

/** Others may wait for the locks of a session. Nobody waits for a connection that is only tested. */
function weight({ watched, session }: Suspect): number {
  return (session.holds ? 2 : 0) + (watched.isMissed ? 1 : 0);
}
