import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '#base/clock';
import { Listings } from '#listings/listings';
import { putSampleListings } from '#listings/sample-listings';
import { startTestApi, type TestApi } from './support/api.js';
import { authorization, call, PAYMENT, STAFF_TOKEN } from './support/callers.js';
import { quietPort } from './support/quiet-port.js';
import { addEntries } from './support/ping-stream/stream-entries.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { until } from './support/until.js';

type Manifest = Readonly<{
  name: string;
  exports: Record<string, string | Record<'types' | 'default', string>>;
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
}>;

type PackageId = Readonly<{ name: string; version: string }>;

const root = resolve(import.meta.dirname, '..');
const EXAMPLES = join(root, 'examples');
const examples = readdirSync(EXAMPLES).filter((name) => name.endsWith('.ts'));
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

let folder: string;
let installed: string;
let manifest: Manifest;
let api: TestApi;
const running = new Set<Example>();

beforeAll(async () => {
  folder = temporaryFolder('client');
  installed = join(folder, 'node_modules/willcall-client');
  install();
  manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Manifest;
  api = await startTestApi();
  await putSampleListings(new Listings(api.pool, new SystemClock()), new SystemClock());
});
afterAll(async () => {
  for (const example of running) example.process.kill('SIGKILL');
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Builds and packs it, and unpacks it as npm would. Its dependencies come from our node_modules, without a registry. */
function install(): void {
  const built = join(folder, 'built');
  execFileSync(process.execPath, [join(root, 'tools/build-client.mjs'), built]);
  execFileSync('npm', ['pack', built, '--pack-destination', folder], {
    stdio: 'pipe',
    shell: process.platform === 'win32',
  });
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, archive), '-C', installed, '--strip-components', '1']);
  for (const name of ['eventsource-parser', '@types', 'undici-types']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
  }
}

/** Runs an example in the folder where the package is installed. */
class Example {
  readonly process;
  readonly ended: Promise<number | null>;
  output = '';

  constructor(name: string, environment: Record<string, string> = {}) {
    const access = { CLIENT_ID: PAYMENT.clientId, CLIENT_SECRET: PAYMENT.secret, STREAM_TOKEN: STAFF_TOKEN };
    const env = {
      WILLCALL_URL: api.url,
      WEBHOOK_SECRET,
      ...access,
      ...environment,
    };
    this.process = spawn(process.execPath, [`${name}.js`], { cwd: folder, env });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    running.add(this);
    this.ended = new Promise((done) => this.process.once('close', done));
    void this.ended.then(() => running.delete(this));
  }

  async prints(text: string | RegExp): Promise<void> {
    await until(() => this.output.match(text)).catch(() => expect(this.output).toMatch(text));
  }
}

async function outputOf(name: string, environment?: Record<string, string>): Promise<string> {
  const example = new Example(name, environment);
  expect([await example.ended, example.output]).toEqual([0, example.output]);
  return example.output;
}

async function serving(name: string): Promise<{ example: Example; url: string }> {
  const port = String(await quietPort());
  const example = new Example(name, { PORT: port });
  await example.prints('listening');
  return { example, url: `http://127.0.0.1:${port}` };
}

describe('the package', () => {
  it('is packed under the name and version of the install line', () => {
    const { name, version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as PackageId;
    const docs = readFileSync(join(root, 'docs/client.md'), 'utf8');
    expect(docs).toContain(`npm install ./${name}-${version}.tgz`);
    expect(existsSync(join(folder, `${name}-${version}.tgz`))).toBe(true);
  });

  it('contains the files of its exports, and no tests', () => {
    const paths = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === 'string' ? entry : Object.values(entry),
    );
    expect(paths.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
    const files = readdirSync(installed);
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'checkout.js', 'checkout.d.ts']));
    expect(
      files.filter((name) => !/^(package\.json|README\.md|LICENSE|examples|[a-z-]+\.(js|d\.ts))$/.test(name)),
    ).toEqual([]);
  });

  it('depends exactly on what it imports, in the versions that are tested here', () => {
    const scripts = readdirSync(installed).filter((name) => name.endsWith('.js'));
    const imports = scripts.flatMap((name) => [
      ...readFileSync(join(installed, name), 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g),
    ]);
    const packages = imports.map(([, name = '']) => name).filter((name) => !/^(\.|node:)/.test(name));
    expect([...new Set(packages)]).toEqual(Object.keys(manifest.dependencies));
    const ours = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
    // Our own programs are bundled with them.
    expect(ours.devDependencies).toMatchObject(manifest.dependencies);
  });
});

describe('examples', () => {
  let orderId: string;

  it('compile, use every export of the package, and are on its page', () => {
    for (const name of examples) copyFileSync(join(EXAMPLES, name), join(folder, name));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const strict = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noUncheckedIndexedAccess',
      '--types',
      'node',
      '--skipLibCheck',
    ];
    const shape = ['--module', 'nodenext', '--target', 'es2023', '--rootDir', '.'];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, ...strict, ...shape, ...examples], { cwd: folder, encoding: 'utf8' });
    const code = examples.map((name) => readFileSync(join(EXAMPLES, name), 'utf8')).join('');
    const parts = Object.keys(manifest.exports).filter((path) => path !== './package.json');
    expect(parts.filter((path) => !code.includes(`'${path.replace('.', manifest.name)}'`))).toEqual([]);
    const page = readFileSync(join(root, 'docs/client.md'), 'utf8');
    expect(examples.filter((name) => !page.includes(`(../examples/${name})`))).toEqual([]);
  });

  it('buys, once', async () => {
    const output = await outputOf('buy');
    expect(output).toMatch(/^bought ord_\w+: confirmed\n$/);
    orderId = /ord_\w+/.exec(output)?.[0] ?? '';
    expect(await outputOf('buy')).toBe('refused: 40030\n');
  });

  it('receives purchase pings, and refuses unsigned ones', async () => {
    const { example, url } = await serving('receive-purchase-pings');
    const path = `/markets/purchases/${orderId}/update`;
    const target = `${url}${path}?ref_id=checkout-4711`;
    const signed = await call(target, 'POST', undefined, { authorization: authorization(PAYMENT, 'POST', path) });
    expect([signed.status, signed.text]).toEqual([200, JSON.stringify({ order_id: orderId })]);
    await example.prints(`${orderId} is Confirmed`);
    expect((await call(target, 'POST')).status).toBe(401);
  });

  it('follows all orders, and resumes', async () => {
    await addEntries(api.pool, 0, 8);
    const first = new Example('follow-all-orders');
    await first.prints(/^12: .* rejected$/m);
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    await addEntries(api.pool, 16, 4);
    const second = new Example('follow-all-orders');
    await second.prints(/^20: /m);
    second.process.kill('SIGTERM');
    await second.ended;
    const lines = (first.output + second.output).trim().split('\n');
    expect(lines.map((line) => parseInt(line, 10))).toEqual(
      (await page('status=confirmed,rejected')).map(({ position }) => position),
    );
  });

  it('follows all cells, and resumes by the position of each', async () => {
    const last = (await page('')).at(-1)?.position;
    const first = new Example('follow-all-cells');
    await first.prints(new RegExp(`^east ${last}: `, 'm'));
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    await addEntries(api.pool, 24, 1);
    const second = new Example('follow-all-cells');
    await second.prints(/^east 26: /m);
    second.process.kill('SIGTERM');
    await second.ended;
    expect(second.output).toMatch(/^east 26: [^\n]*\n$/);
  });

  it('shows changes live, and can leave the loop', async () => {
    const output = await outputOf('show-them-live', { AFTER: '6' });
    expect(
      output
        .trim()
        .split('\n')
        .map((line) => parseInt(line, 10)),
    ).toEqual([8, 10, 12]);
  });

  it('receives webhooks, each once, and refuses forged ones', async () => {
    const { example, url } = await serving('receive-webhooks');
    const body = JSON.stringify({
      type: 'order.status',
      timestamp: new Date().toISOString(),
      data: (await page('limit=1'))[0],
    });
    const signature = new Webhook(WEBHOOK_SECRET).sign('png_1', new Date(), body);
    const headers = { 'webhook-id': 'png_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) };
    const send = (sent: string) => call(url, 'POST', sent, { ...headers, 'webhook-signature': signature });
    expect([(await send(body)).status, (await send(body)).status]).toEqual([204, 204]);
    expect((await send(body.replace('order.status', 'order.states'))).status).toBe(400);
    await example.prints(/ is \w+\n$/);
    expect(example.output.match(/ord_/g)).toHaveLength(1);
  });

  it('signs by hand', async () => {
    expect(await outputOf('sign-by-hand')).toBe('200 true\n');
  });

  it('replaces the server in tests', async () => {
    const said = 'StreamRequestError: The stream was refused: 401, 40100 Authentication failed [ 500, 1000 ]\n';
    expect(await outputOf('in-your-tests')).toBe(said);
  });
});

async function page(query: string): Promise<{ position: number }[]> {
  const { body } = await call(`${api.url}/stream/v1/pings?${query}`, 'GET', undefined, {
    authorization: `Bearer ${STAFF_TOKEN}`,
  });
  return (body as { pings: { position: number }[] }).pings;
}
