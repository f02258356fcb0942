// `node tools/screenshots.mjs ADDRESS EMAIL PASSWORD [FOLDER]`: pictures of every page of a running console, in light and dark, 1280 and
// 390 pixels wide. Needs Chromium (CHROMIUM, by default /usr/bin/chromium).
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [address, email, password, folder = 'screenshots'] = process.argv.slice(2);
if (!password) {
  process.stderr.write('node tools/screenshots.mjs ADDRESS EMAIL PASSWORD [FOLDER]\n');
  process.exit(1);
}

const WINDOWS = ['light', 'dark'].flatMap((colorScheme) =>
  [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ].map((viewport) => ({ colorScheme, viewport })),
);

const PAGES = {
  orders: '/orders',
  view: '/orders?queue=to_ship',
  filtered: '/orders?status=confirmed,pending&placed_at=gte:-7d',
  empty: '/orders?q=there-is-no-such-order',
  'unknown-order': '/orders/ord_unknown',
  queues: '/work',
  delivery: '/delivery',
  listings: '/listings',
  money: '/money',
  disputes: '/disputes',
  reports: '/reports',
  operators: '/settings/operators',
  tokens: '/settings/tokens',
  clients: '/settings/clients',
  keys: '/settings/keys',
  webhooks: '/settings/webhooks',
  account: '/account',
  statuses: '/settings/catalogue',
  audit: '/settings/audit',
  events: '/events',
  'public-start': '/e',
};

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  for (const window of WINDOWS) await takeAll(window);
} finally {
  await browser.close();
}

async function takeAll({ colorScheme, viewport }) {
  const context = await browser.newContext({ baseURL: address, colorScheme, viewport });
  const page = await context.newPage();
  const take = async (name) => {
    // Lists and orders come in several answers. The network is never idle: the page follows the changes of orders.
    await page.waitForTimeout(800);
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${viewport.width}.png` });
  };
  await page.goto('/sign-in');
  await page.getByLabel('Email').waitFor();
  await take('sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await take(name);
  }
  await page.goto('/orders');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await take('palette');
  await page.keyboard.press('Escape');
  const first = page.getByRole('table', { name: 'Orders' }).getByRole('link').first();
  if (
    await first.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    )
  ) {
    await first.click();
    await page.getByRole('list', { name: 'Timeline' }).waitFor();
    await take('order');
    const [button] = await page.getByRole('button', { name: 'Cancel and refund' }).all();
    if (button) {
      await button.click();
      await page.locator('[data-action=apply]').waitFor();
      await take('dialog');
    }
  }
  await context.close();
}
