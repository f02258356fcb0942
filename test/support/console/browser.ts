import { type Browser, type BrowserContext, chromium as playwright, type Page } from 'playwright-core';
import { chromium } from '../chromium.js';
import { followRequests } from './settled-page.js';

/** Every wait of Playwright. A page of ours needs a fraction of a second; a machine under full load many times that. */
const TIMEOUT_MS = 60_000;

export type Person = Readonly<{ email: string; password: string }>;

/** A window, with all that went wrong in its tabs: errors of scripts, and what the Content-Security-Policy refused. */
export type BrowserWindow = Readonly<{ context: BrowserContext; problems: string[] }>;
export type Tab = BrowserWindow & Readonly<{ page: Page }>;

export function launch(): Promise<Browser> {
  return playwright.launch({
    executablePath: chromium ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  });
}

let launched: Promise<Browser> | undefined;

/** The browser of this process. Files of one worker share it, because a start takes seconds. It ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

/** Runs in the page. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  reportViolation(['CSP', violatedDirective, blockedURI, sample].join(' ')));`;

/** Every installation of a test is new. Its first steps would push the lists down. Empty and sandboxed pages have no storage. */
const NO_FIRST_STEPS = `if (self.origin !== 'null') localStorage.setItem('willcall.first-steps', 'hidden');`;

type WindowOptions = Readonly<{ url: string; reducedMotion?: 'reduce'; from?: BrowserContext }>;

/** Opens a window with cookies and a cache of its own; `from`: with the cookies of that one. */
export async function openWindow(
  browser: Browser,
  { url, reducedMotion, from }: WindowOptions,
): Promise<BrowserWindow> {
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: 'light',
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...(reducedMotion && { reducedMotion }),
    ...(from && { storageState: await from.storageState() }),
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  followRequests(context);
  const problems: string[] = [];
  await context.exposeBinding('reportViolation', (_, text: string) => problems.push(text));
  await context.addInitScript(REPORT_VIOLATIONS);
  await context.addInitScript(NO_FIRST_STEPS);
  context.on('weberror', (error) => problems.push(error.error().message));
  context.on('dialog', (dialog) => {
    // Asked by the browser because of something written; the page may go.
    if (dialog.type() === 'beforeunload') return void dialog.accept();
    problems.push(`a script opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { context, problems };
}

/** Opens a tab in a window of its own. */
export async function openTab(browser: Browser, options: WindowOptions): Promise<Tab> {
  const window = await openWindow(browser, options);
  return { ...window, page: await window.context.newPage() };
}

export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}
