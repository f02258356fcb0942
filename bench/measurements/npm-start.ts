import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { request } from 'undici';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { pressCtrlC, runInShell, untilWelcome, type Willcall } from '../../test/support/willcall.js';
import { CONNECTIONS, type Load } from '../setup/load.js';
import { LISTING } from '../setup/marketplace.js';
import { familyMb } from '../setup/memory.js';
import type { RunOptions, Figure } from '../measurement.js';

const SIGNER = { clientId: 'bench', secret: 'a-secret-of-the-bench' };
const STAFF = 'a-token-of-the-bench';

// The maximum that the back office accepts for one listing.
const MOST_TICKETS = 100_000;

/** The memory of all processes of `npm start` together, npm included: idle, and after purchases. */
export async function npmStart(load: Load, { quick }: RunOptions): Promise<Figure[]> {
  const folder = temporaryFolder('bench-start', tmpdir());
  // Everything is built already. A build would count as memory.
  const willcall = runInShell('npm start --ignore-scripts', {
    DATA_DIR: folder,
    PORT: '0',
    BACKOFFICE_TOKEN: STAFF,
    CHECKOUT_CLIENT_ID: SIGNER.clientId,
    CHECKOUT_CLIENT_SECRET: SIGNER.secret,
    CHECKOUT_VARIANT: 'wholesale',
  });
  try {
    await untilWelcome(willcall);
    const idle = figure('npm start, once it is ready', willcall);
    const count = quick ? 200 : 2_000;
    await buy(willcall.printed('api'), load, count);
    return [idle, figure(`npm start, after ${count} purchases`, willcall)];
  } finally {
    pressCtrlC(willcall);
    await willcall.ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function buy(api: string, load: Load, count: number): Promise<void> {
  const listingIds = Array.from({ length: 20 }, (_, index) => `bench-${index + 1}`);
  for (const id of listingIds) await put(`${api}/backoffice/v1/listings/${id}`, { ...LISTING, quantity: MOST_TICKETS });
  const plan = { kind: 'wholesale', signer: SIGNER, count, run: `start-${Date.now()}`, listingIds } as const;
  await load.run({ port: Number(new URL(api).port), connections: CONNECTIONS, plan, status: 201 });
}

async function put(url: string, document: object): Promise<void> {
  const headers = { Authorization: `Bearer ${STAFF}`, 'Content-Type': 'application/json' };
  const { statusCode, body } = await request(url, { method: 'PUT', headers, body: JSON.stringify(document) });
  if (statusCode !== 200) throw new Error(`PUT ${url}: ${statusCode} ${await body.text()}`);
  await body.dump();
}

function figure(name: string, { process: { pid = 0 } }: Willcall): Figure {
  const parts = familyMb(pid);
  const list = [...parts].map(([program, mb]) => `${program} ${Math.round(mb)}`).join(', ');
  return {
    name,
    value: [...parts.values()].reduce((sum, mb) => sum + mb, 0),
    unit: 'MB',
    detail: `${list}; shared memory counted once`,
  };
}
