import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from './support/markdown.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { until } from './support/until.js';
import { pressCtrlC, processesIn, runInShell, untilWelcome, type Willcall } from './support/willcall.js';

const root = resolve(import.meta.dirname, '..');
const SERVICES = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const page = (path: string) => blocksOf(readFileSync(join(root, path), 'utf8'), 'sh');

/** Blocks that cannot run in this test, with the reason. Only their syntax is checked. */
const NOT_RUN: readonly [RegExp, string][] = [
  [/^npm test$/m, 'it would run itself'],
  [/^docker /m, 'needs Docker'],
  [/^(pg_dump|pg_restore) /m, 'runs in documented-restore.e2e-spec.ts'],
];

/** What every other block prints. The first entry counts whose text is part of the block. */
const PRINTS: readonly [string, RegExp][] = [
  ['"token": "tok_1"', /^\{"id":"ord_\w+"[^]*"status_code":2000/],
  ['delivery health --check', /^OK\nplatform[^]*PROBLEM: \d+ orders drift/],
  ['willcall -- doctor', /ok[^]*Node/i],
  [
    'delivery health',
    /^platform {2}\w+ {2}\d+ pending[^]*"endpoints":\[\{"endpoint":"platform","kind":"platform","url":"sandbox"/,
  ],
  ['delivery drift\n', /^(No order drifts\.|ord_\w+ {2}\d{4} )[^]*\{"orders":\[/],
  ['drift --send', /\d+ pings would be sent again\.\n[^]*\{"dry_run":false,"matched":\d+,"sent":\d+,"ids":\[/],
  ['replay start', /\d+ would be sent again\.\n[^]*"state":"running"[^]*rpl_\w+ {2}platform {2}/],
  ['/reports/money', /^\{"rows":\[\{"event_id":[^]*"totals":\{"orders":\d+[^]*day,reason,status_code,/],
  ['/sandbox/pings', /"state":"read"/],
  ['https://tickets.example/desk-1', /"status_code":2004[^]*"url":"https:\/\/tickets.example\/desk-1"/],
  ['/fulfillment', /"status_code":2004.*"type":"TicketsDelivered"/s],
  ['platform lookup', /200 OK[^]*201 Created/],
  ['listings import', /2 imported, 0 failed/],
  ['$CHECKOUT/listings/demo-payment-1', /^\{"listing_id":"demo-payment-1"/],
  ['openssl', /^[\w+/]{43}=\n[0-9a-f]{48}\n$/],
  ['/health/live', /"status":"ok".*"status":"ok"/s],
  ['/metrics', /willcall_http_request_seconds_count/],
  ['state=parked', /"pings":\[\{.*"dry_run":true,"matched":(\d+).*"dry_run":false,"matched":\1,"sent":\1/s],
  ['rebuild discovery-stats', /^discovery-stats: \d+ events in /],
  ['rebuild recommendations', /^recommendations: \d+ rows from \d+ orders in /],
  ['projections rebuild', /Everything agrees[^]*orders: \d+ rows from [\d,]+ events/],
  ['willcall -- migrate', /up to date/],
  ['clients add', /secret {5}\w{64}[^]*secret {5}\w{64}[^]*Acme Tickets, payment/],
  ['clients revoke', /Revoked secret sec_\w+ of client acme/],
  ['personal-data', /"personal_data":"erased"/],
  ['webhooks list', /^There are no webhooks yet\./],
  ['/notices', /^\{"notices":\[\],"next_cursor":null\}/],
  ['stream-tokens list', /^stk_\w+ {2}warehouse, made \S+, /],
  ['/stream/v1/pings/live', /^: connected\n[^]*\nid: \d+\ndata: \{"id":"png_/],
  ['epoch=3f9c0d1e7a42', /"code":40902[^]*"meta":\{"epoch":"\w{12}","last":\d+\}/],
  ['/stream/v1/pings?after', /^\{"pings":\[\{"id":"png_.*\}\],"next":\d+,"epoch":"\w{12}"\}/],
  ['epoch renew', /^\w{12} {2}since [^]*is in epoch \w{12} now\./],
  ['reconcile payments', /agree, 0 differ/],
  ['reconcile', /They know nothing that is missing here\./],
  ['$CATALOGUE/events/500001', /"name":"The Old Chandlery"[^]*"venue":\{"id":500002,"name":"The Old Chandlery"/],
  ['/events/$EVENT', /^\{"id":\d+,"title":/],
  [
    '/events?client_id=$KEY&per_page=2',
    /^\{"meta":\{"took":\d+,"geolocation":null,"per_page":2,"total":\d+,"page":1\},"events":\[/,
  ],
  ['-u "$KEY:"', /"venues":\[/],
  ['/recommendations?', /"range":"200mi"[^]*"recommendations":\[/],
  ['clients keys add', /^client id {2}fan-site[^]*fan-site {2}A fan site, 50 a second[^]*Revoked key fan-site/m],
  ['concerts in december', /"per_page":1,"total":\d+[^]*"performers":\[/],
  ['lat=40.7505', /"geolocation":\{"lat":40.7505,"lon":-73.9934,"range":"10km"/],
  ['format=xml', /<response><meta><took>[^]*show\(\{"meta":.*\}\);/],
  ['sort=price', /"message":"per_page: [^]*"message":"sort: /],
  ['--compressed', /^HTTP\/1.1 200 OK[^]*ratelimit-limit: [^]*etag: W\/"/],
  ['catalogue import', /^events: 1 imported, 1 failed\n1 documents in [^]*/],
  ['-X DELETE -H "Authorization: Bearer $TOKEN" "$CATALOGUE', /"code":40902,[^]*used by events 500001/],
  ['--ref-id desk-1', /201 Created[^]*201 Created[^]*201 Created/],
  ['status=pending&sort=placed_at.asc', /^\{"orders":\[(\{"id":"ord_[^{]*\{"status":"pending"[^]*){10}"next_cursor":"/],
  ['q=desk-1', /^\{"orders":\[\{"id":"ord_[^]*"ref_id":"desk-1"/],
  ['If-Match: "1"', /^\{"errors":\[\{"code":41201,/],
  ['The broker has the tickets.', /"status_code":2000[^]*"note":"The broker has the tickets."/],
  ['3004', /"status_code":3004/],
  ['4001', /"status_code":4001[^]*"status_code":2000[^]*by the box office/],
  ['4005', /"status_code":4005[^]*"status_code":2005/],
  ['$ORDERS/$ACCEPTED/events', /"actor":"token:backoffice"[^]*"type":"TicketsDelivered"/],
  ['--data-binary @docs/listings.csv', /"imported":2,"failed":0/],
  ['-X PATCH', /"outcome":"changed"[^]*"listing_id":null[^]*"outcome":"refused","errors":\[\{"code":40400/],
  ['ledger/accounts', /"account":"provider:sandbox"[^]*"account":"provider:sandbox"/],
  ['seller-payments', /"reference":"SEPA 2026-11\/17"/],
  ['wait=1', /^\{"pings":\[\{"id":"png_/],
  ['export ', /^$/],
];

let folder: string;
let url: string;
/** Shared by all blocks, as in one terminal: a block sees what earlier ones exported. */
let environment: Record<string, string>;
let willcall: Willcall;

beforeAll(() => {
  folder = temporaryFolder('readme');
  environment = { PORT: '0', DATA_DIR: join(folder, 'data') };
});

afterAll(() => {
  for (const pid of processesIn(folder)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

// Between the output of a block and the variables that it leaves.
const ENVIRONMENT = '--- environment ---';
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** The block with the port and the folder of this installation, and with what npm would run: npm takes longer than the command. */
function adapted(block: string): string {
  return block
    .replaceAll('http://127.0.0.1:3000', url)
    .replaceAll('.data/', `${folder}/data/`)
    .replaceAll(/npm run (--silent )?willcall --/g, scripts['willcall'] ?? '');
}

/** Never blocks this process: Willcall would wait for it to read its log. */
async function run(script: string): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment };
  const printEnvironment = `\nprintf '%s' '${ENVIRONMENT}'; env -0`;
  const running = promisify(execFile)('sh', ['-e', '-c', script + printEnvironment], { cwd: root, env });
  running.child.stdin?.end();
  const { stdout } = await running;
  const [output = '', variables = ''] = stdout.split(ENVIRONMENT);
  const after = new Map(variables.split('\0').map((line) => [line.split('=', 1)[0], line.replace(/^[^=]*=/, '')]));
  for (const [, name = ''] of script.matchAll(/^export (\w+)=/gm)) environment[name] = after.get(name) ?? '';
  return output;
}

async function runBlock(block: string): Promise<void> {
  const { status, stderr } = spawnSync('sh', ['-n', '-c', block], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  for (const [, service = ''] of block.matchAll(/--scale (\w+)=/g)) expect(SERVICES).toContain(`\n  ${service}:\n`);
  const reason = NOT_RUN.find(([pattern]) => pattern.test(block))?.[1];
  if (reason !== undefined) return console.log(`Not run, ${reason}:\n${block}`);
  const prints = PRINTS.find(([part]) => block.includes(part))?.[1];
  if (!prints) throw new Error(`PRINTS has no entry for this block:\n${block}`);
  // What `--check` finds among the sample orders is in its exit code too.
  const script = block.includes('--check') ? `set +e\n${block}` : block;
  expect(await run(adapted(script)), block).toMatch(prints);
}

function runsEveryBlock(blocks: readonly string[]): void {
  it.each(blocks.map((block) => [block.split('\n', 1)[0], block]))('%s', (_, block = '') => runBlock(block));
}

async function json<T>(path: string): Promise<T> {
  return (await (await fetch(`${url}${path}`)).json()) as T;
}

type Received = { order_id: string; state: string; announcement: number; purchase: { status: object } | null };
const received = async () => (await json<{ pings: Received[] }>('/sandbox/pings')).pings;

describe('README.md', () => {
  const [start = '', ...rest] = page('README.md');
  let orderId: string;

  it('starts Willcall', async () => {
    expect(start).toBe('npm start\n');
    willcall = runInShell(start, environment);
    await untilWelcome(willcall);
    url = willcall.printed('api');
    environment['PORT'] = new URL(url).port;
    expect(willcall.printed('sandbox platform')).toBe(`${url}/sandbox`);
  });

  it('prints a purchase that can be pasted', async () => {
    const [printed = ''] = /^ {2}curl -i [^]*?'$/m.exec(willcall.output()) ?? [];
    const answer = await run(printed);
    expect(answer).toMatch(/^HTTP\/1.1 201 Created/);
    orderId = /"id":"(ord_\w+)"/.exec(answer)?.[1] ?? '';
    expect(answer).toContain(`location: ${url}/checkout/v1/purchases/${orderId}`);
  });

  it('shows the ping on the page of the sandbox platform', async () => {
    const ping = await until(async () => (await received()).find(({ state }) => state === 'read'), {
      withinMs: 30_000,
    });
    expect(ping).toMatchObject({
      order_id: orderId,
      signature_valid: true,
      purchase: { status: { status_code: 2000 } },
    });
    const html = await (await fetch(`${url}/sandbox`)).text();
    expect(html).toContain(orderId);
  });

  runsEveryBlock(rest);

  it('lists every command', async () => {
    const [, commands = ''] = (await run('npm run --silent willcall -- --help')).split('Commands:\n');
    const names = [...commands.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name);
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    expect(names.filter((name) => name !== 'help' && !readme.includes(`| \`${name}`))).toEqual([]);
  });

  it('sends a second ping after the delivery', async () => {
    const second = () => received().then((pings) => pings.find(({ announcement }) => announcement === 2));
    const ping = await until(second, { withinMs: 30_000 });
    expect(ping.order_id).toBe(environment['ORDER']);
  });
});

describe.each(['docs/discovery.md', 'docs/catalogue.md', 'docs/recommendations.md', 'docs/install-and-upgrade.md'])(
  '%s',
  (path) => {
    runsEveryBlock(page(path));
  },
);

describe('docs/monitoring.md', () => {
  runsEveryBlock(page('docs/monitoring.md'));

  it('names exactly the metrics that api and worker export', async () => {
    const text = readFileSync(join(root, 'docs/monitoring.md'), 'utf8');
    const named = new Set([...text.matchAll(/^\| `(willcall_\w+)/gm)].map(([, name]) => name));
    const worker = willcall.printed('worker health').replace('/health/ready', '');
    const answers = await Promise.all([url, worker].map((at) => run(`curl -s ${at}/metrics`)));
    const types = answers.flatMap((answer) => [...answer.matchAll(/^# TYPE (willcall_\w+)/gm)].map(([, name]) => name));
    expect(named).toEqual(new Set(types));
  });
});

describe.each([
  'docs/maintenance.md',
  'docs/backup-and-restore.md',
  'docs/delivery.md',
  'docs/streams.md',
  'docs/webhooks.md',
  'docs/back-office.md',
  'docs/listings.md',
  'docs/payments.md',
  'docs/ledger.md',
  'docs/other-languages.md',
])('%s', (path) => {
  runsEveryBlock(page(path));
});

describe('Ctrl-C', () => {
  it('leaves nothing behind', async () => {
    pressCtrlC(willcall);
    await until(() => willcall.output().includes('Willcall is stopping'), { withinMs: 60_000 });
    await willcall.ended;
    expect(processesIn(folder)).toEqual([]);
    expect(willcall.output()).not.toMatch(/Warning:|Cannot use a pool/);
  });
});
