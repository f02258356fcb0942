import { until } from '../until.js';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { cardBody } from '../purchase-bodies.js';
import { Stand } from '../stand/stand.js';
import { type BrowserWindow, openWindow, type Person, sharedBrowser, signIn } from './browser.js';

type TabOptions = Readonly<{
  colorScheme?: 'light' | 'dark';
  width?: number;
  /** Who is signed in; `null` is nobody, left out is the administrator. */
  as?: Person | null;
}>;

type StartOptions = Readonly<{ workers?: number; settings?: Readonly<Record<string, string>> }>;

const PASSWORD = 'a long sentence is a good password';

const CAPTURED = `select from orders where id = $1 and summary #>> '{payment,state}' = 'captured'`;

/** A whole Willcall with its console in a browser, one listing (`lst-1`) and an administrator who is signed in. */
export class ConsoleStand {
  private readonly windows = new Map<Person, BrowserWindow>();
  private readonly opened = new Set<BrowserWindow>();
  private purchases = 0;

  private constructor(
    readonly stand: Stand,
    readonly browser: Browser,
    readonly ada: Person,
  ) {}

  /** Close it in an `afterAll`. */
  static async start({ workers = 1, settings = {} }: StartOptions = {}): Promise<ConsoleStand> {
    // Without a path: the console is at the root.
    const own = { PUBLIC_URL: 'http://127.0.0.1', ...settings };
    const stand = await Stand.start({ database: 'shared', apis: 1, workers, settings: own });
    await stand.staff.putListing('lst-1', { quantity: 1_000 });
    const ada = await operator(stand, 'ada@example.com', 'Ada Lovelace', ['administrator']);
    return new ConsoleStand(stand, await sharedBrowser(), ada);
  }

  async close(): Promise<void> {
    await Promise.all([...this.opened].map(({ context }) => context.close()));
    await this.stand.close();
  }

  get url(): string {
    return this.stand.api().url;
  }

  operator(email: string, name: string, role: string, sellers?: readonly string[]): Promise<Person> {
    return operator(this.stand, email, name, [role], sellers);
  }

  /** Buys two tickets of `lst-1` by card. Resolves with the order's id. */
  async buy(refId?: string): Promise<string> {
    this.purchases += 1;
    const body = cardBody();
    body.ref_id = refId ?? `ref of purchase ${this.purchases}`;
    return await this.stand.payment.bought(body);
  }

  /** An order whose payment was taken: otherwise the worker's event would come between what a test does. */
  async buyCaptured(): Promise<string> {
    const id = await this.buy();
    await until(async () => (await this.stand.pool.query(CAPTURED, [id])).rowCount === 1);
    return id;
  }

  /** Runs with a new tab, which must end without a script error or a report of the policy. */
  async inTab(work: (page: Page) => Promise<void>, { as = this.ada, colorScheme, width }: TabOptions = {}) {
    const { context, problems } = as ? await this.windowOf(as) : await this.newWindow();
    // The window may be older than a fresh proof is good for.
    await this.stand.pool.query('update sessions set proven_at = now()');
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme: colorScheme ?? 'light' });
    await page.setViewportSize({ width: width ?? 1280, height: 800 });
    await work(page);
    expect(problems).toEqual([]);
    if (!as) return await context.close();
    // The next test does not see what this one chose.
    await context.pages().at(-1)?.evaluate('localStorage.clear()');
    for (const each of context.pages()) await each.close();
  }

  /**
   * Signs each person in once, because checking a password takes a processor's time on purpose. All tabs of a person use this window,
   * because its cache has the scripts.
   */
  private async windowOf(person: Person): Promise<BrowserWindow> {
    const known = this.windows.get(person);
    if (known) return known;
    const window = await this.newWindow();
    const page = await window.context.newPage();
    await signIn(page, person);
    await page.close();
    this.windows.set(person, window);
    return window;
  }

  private async newWindow(): Promise<BrowserWindow> {
    const window = await openWindow(this.browser, { url: this.url, reducedMotion: 'reduce' });
    this.opened.add(window);
    return window;
  }
}

async function operator(
  stand: Stand,
  email: string,
  name: string,
  roles: readonly string[],
  sellers?: readonly string[],
): Promise<Person> {
  const body = { email, name, roles, password: PASSWORD, ...(sellers && { sellers }) };
  const answer = await stand.staff.send('POST', 'operators', body);
  if (answer.status !== 201) throw new Error(`The operator was answered ${answer.status}: ${answer.text}`);
  return { email, password: PASSWORD };
}
