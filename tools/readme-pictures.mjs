// `node tools/readme-pictures.mjs ADDRESS EMAIL PASSWORD`: makes the pictures of the README and of docs/console.md from the sample data of a
// running console, and docs/console-pictures.json, by which test/console-barriers.e2e-spec.ts sees if they are still true. Needs Chromium
// (CHROMIUM, by default /usr/bin/chromium).
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { fingerprintOf } from './page-fingerprint.mjs';

const [address, email, password] = process.argv.slice(2);
if (!password) {
  console.error('node tools/readme-pictures.mjs ADDRESS EMAIL PASSWORD');
  process.exit(1);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const page = await browser.newPage({
    baseURL: address,
    colorScheme: 'light',
    viewport: { width: 1280, height: 800 },
  });
  await page.addInitScript(`localStorage.setItem('willcall.first-steps', 'hidden')`);
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const links = page.getByRole('table', { name: 'Orders' }).getByRole('link');
  await links.first().waitFor();
  const orders = await take(page, 'console-orders');
  await page.goto('/orders?status_code=2000');
  await links.first().click();
  await page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').first().waitFor();
  const order = await take(page, 'console-order');
  const pictures = { 'console-order': order, 'console-orders': orders };
  writeFileSync('docs/console-pictures.json', `${JSON.stringify(pictures, null, 2)}\n`);
} finally {
  await browser.close();
}

async function take(page, name) {
  // Lists and orders come in several answers. The network is never idle: the page follows the changes of orders.
  await page.waitForTimeout(1_500);
  // What only a new installation shows.
  await page.evaluate(`for (const bar of document.querySelectorAll('.sample-bar')) bar.remove()`);
  const file = `docs/${name}.png`;
  await page.screenshot({ path: file });
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  return { sha256, fingerprint: await fingerprintOf(page) };
}
