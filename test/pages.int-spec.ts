import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from './support/api.js';
import { chromium } from './support/chromium.js';
import { temporaryFolder } from './support/temporary-folder.js';

/** Loads the pages in a browser, which runs their scripts under their Content-Security-Policy. */
describe.skipIf(!chromium)('in a browser', () => {
  let api: TestApi;
  const profile = temporaryFolder('chromium');

  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(async () => {
    await api.close();
    rmSync(profile, { recursive: true, force: true });
  });

  const page = async (path: string) => {
    const quiet = [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-sync',
    ];
    const args = ['--headless', '--no-sandbox', ...quiet, `--user-data-dir=${profile}`, '--virtual-time-budget=4000'];
    const { stdout } = await promisify(execFile)(chromium ?? '', [...args, '--dump-dom', api.url + path]);
    return stdout;
  };

  it('/sandbox says what to do, and then shows the received ping', async () => {
    expect(await page('/sandbox')).toContain('This is a sandbox: no money moves here.');
    await api.payment.send('POST', '/sandbox/markets/purchases/ord_of_the_browser/update?ref_id=r%20%3Cb%3E1');
    const shown = await page('/sandbox');
    expect(shown).toContain('ord_of_the_browser');
    expect(shown).toContain('r &lt;b&gt;1');
  });

  it('/docs lists the routes', async () => {
    const shown = await page('/docs');
    expect(shown).toContain('Submit a purchase, in the variant of the client');
    // Swagger UI draws only what is in the window.
    expect(shown).toContain('Read a purchase: its status, delivery, fulfillment and history');
  });
});
