import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import type { RunOptions, Figure, Measurement } from '../measurement.js';
import { type BenchDatabase, createDatabase } from '../setup/database.js';
import { startService } from '../setup/service.js';
import { inMs, median, quantile } from '../statistics.js';

const TOKEN = 'token-of-the-bench';
const PASSWORD = 'a long sentence is a good password';
const KNOWN = 'ada@example.com';
const DELAY_AT_MOST_MS = 20;
// A guess at one answer is right half of the time when the two kinds look alike.
const GUESS_AT_MOST = 0.55;

/** Whether the time of a refusal tells that a person exists, and whether hashing delays others. */
export const signIn: Measurement = {
  name: 'sign-in',
  about: 'POST /backoffice/v1/session: unknown people against wrong passwords, and other requests meanwhile',
  async run({ quick, say }: RunOptions) {
    const database = await createDatabase();
    try {
      const api = await startService({
        file: 'programs/api.js',
        environment: (port) => ({
          PORT: `${port}`,
          OPERATIONS_PORT: `${port}`,
          DATABASE_URL: database.url,
          ENCRYPTION_KEY: randomBytes(32).toString('base64'),
          BACKOFFICE_TOKEN: TOKEN,
          REQUIRE_HTTPS: 'false',
          SANDBOX: 'true',
        }),
        readyPath: '/health/ready',
      });
      try {
        const desk = new Desk(`http://127.0.0.1:${api.port}`, database);
        await desk.addOperator();
        const tries = quick ? 100 : 1_000;
        return [await timingLeak(desk, tries, say), await delayOfOthers(desk, tries, say)];
      } finally {
        await api.stop();
      }
    } finally {
      await database.remove();
    }
  },
};

class Desk {
  constructor(
    private readonly url: string,
    private readonly database: BenchDatabase,
  ) {}

  async addOperator(): Promise<void> {
    const body = { email: KNOWN, name: 'Ada', roles: ['support'], password: PASSWORD };
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    await this.ask('POST', '/operators', 201, { headers, body: JSON.stringify(body) });
  }

  /** A refused try. Resolves with its time in milliseconds. */
  async fail(email: string): Promise<number> {
    // So that the limit of ten failures is never reached.
    await this.database.owner.query('delete from sign_in_failures');
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ email, password: 'not this one' });
    return await this.ask('POST', '/session', 401, { headers, body });
  }

  read(): Promise<number> {
    return this.ask('GET', '/orders?limit=1', 200, { headers: { authorization: `Bearer ${TOKEN}` } });
  }

  private async ask(
    method: 'GET' | 'POST',
    path: string,
    expected: number,
    options: Readonly<{ headers: Record<string, string>; body?: string }>,
  ): Promise<number> {
    const began = performance.now();
    const { statusCode, body } = await request(`${this.url}/backoffice/v1${path}`, { method, ...options });
    const text = await body.text();
    if (statusCode !== expected) throw new Error(`${method} ${path} was answered ${statusCode}: ${text}`);
    return performance.now() - began;
  }
}

async function timingLeak(desk: Desk, tries: number, say: RunOptions['say']): Promise<Figure> {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let turn = 0; turn < tries / 2; turn += 1) {
    known.push(await desk.fail(KNOWN));
    unknown.push(await desk.fail(`nobody-${turn}@example.com`));
  }
  say(`wrong password ${inMs(known)}; unknown person ${inMs(unknown)}`);
  return {
    name: 'Guess whether a person exists, from the time of one refusal',
    value: bestGuess(known, unknown),
    unit: 'of the guesses',
    target: { atMost: GUESS_AT_MOST },
    detail: `right ones, 0.5 is chance; ${tries} tries; medians ${median(known).toFixed(1)} and ${median(unknown).toFixed(1)} ms`,
  };
}

/** The part of pairs in which the slower one is of the kind that is slower more often. */
function bestGuess(some: readonly number[], others: readonly number[]): number {
  const slower = some.flatMap((one) => others.filter((other) => one > other)).length / (some.length * others.length);
  return Math.max(slower, 1 - slower);
}

async function delayOfOthers(desk: Desk, tries: number, say: RunOptions['say']): Promise<Figure> {
  const alone = await reads(desk, tries);
  let signingIn = true;
  const people = Array.from({ length: 4 }, async (_, person) => {
    while (signingIn) await desk.fail(`person-${person}@example.com`);
  });
  const beside = await reads(desk, tries);
  signingIn = false;
  await Promise.all(people);
  say(`alone ${inMs(alone)}; while four people sign in ${inMs(beside)}`);
  return {
    name: 'Delay of a read while four people sign in',
    value: quantile(beside, 0.99) - quantile(alone, 0.99),
    unit: 'ms',
    target: { atMost: DELAY_AT_MOST_MS },
    detail: `difference of the p99; alone ${inMs(alone)}; beside ${inMs(beside)}`,
  };
}

async function reads(desk: Desk, count: number): Promise<number[]> {
  const latencies: number[] = [];
  for (let turn = 0; turn < count; turn += 1) latencies.push(await desk.read());
  return latencies;
}
