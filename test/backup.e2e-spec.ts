import { chmodSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Platform, PAYMENT, Staff, STAFF_TOKEN } from './support/callers.js';
import { installed } from './support/installed.js';
import { cardBody } from './support/purchase-bodies.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { until } from './support/until.js';
import {
  pressCtrlC,
  processesIn,
  runInShell,
  runWillcall,
  untilGone,
  untilWelcome,
  type Willcall,
} from './support/willcall.js';

const REAL = 'programs/willcall.js start';
const BUYERS = 4;
const ACKNOWLEDGED_BEFORE = 40;
const CREDENTIALS = {
  BACKOFFICE_TOKEN: STAFF_TOKEN,
  CHECKOUT_CLIENT_ID: PAYMENT.clientId,
  CHECKOUT_CLIENT_SECRET: PAYMENT.secret,
};

let folder: string;
beforeEach(() => (folder = temporaryFolder('backup')));
afterEach(() => {
  for (const pid of processesIn(folder)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function started(place: string): Promise<Willcall> {
  const willcall = runWillcall(REAL, place, CREDENTIALS);
  await untilWelcome(willcall);
  return willcall;
}

async function stopped(willcall: Willcall, place: string): Promise<void> {
  pressCtrlC(willcall);
  expect(await willcall.ended).toEqual({ code: 0, signal: null });
  await untilGone(place);
}

/** The output of a command on the installation below `place`. Throws if the command fails. */
async function willcall(command: string, place: string): Promise<string> {
  const run = runInShell(`npm run --silent willcall -- ${command}`, { DATA_DIR: join(place, 'data') });
  expect(await run.ended, run.output()).toEqual({ code: 0, signal: null });
  return run.output();
}

function platformOf(running: Willcall): Platform {
  return new Platform(running.printed('api'), PAYMENT);
}

/** Buys without pause until it is stopped. `acknowledged` has the ids of the answers. */
function buyers(platform: Platform): { acknowledged: string[]; stop(): Promise<void> } {
  const acknowledged: string[] = [];
  let isOver = false;
  const buy = async (buyer: number): Promise<void> => {
    for (let number = 0; !isOver; number += 1) {
      acknowledged.push(await platform.bought({ ...cardBody(), ref_id: `${buyer}-${number}` }));
    }
  };
  const all = Promise.all(Array.from({ length: BUYERS }, (_, buyer) => buy(buyer)));
  // `stop` reports the error.
  all.catch(() => undefined);
  return {
    acknowledged,
    async stop() {
      isOver = true;
      await all;
    },
  };
}

/** Removes a stopped installation as docs/backup-and-restore.md says: all its data is in the folder that the start prints. */
function removeByHand(data: string, place: string): void {
  expect(data).toBe(join(place, 'data'));
  for (const name of readdirSync(data)) expect(realpathSync(join(data, name))).toBe(join(data, name));
  rmSync(data, { recursive: true });
  expect(readdirSync(place)).toEqual([]);
}

it('a backup of a running installation restores every purchase acknowledged before it, and sells again', async () => {
  const [place, other] = [join(folder, 'first'), join(folder, 'second')];
  mkdirSync(place);
  mkdirSync(other);
  // PostgreSQL's account, which is not root, may enter neither folder.
  for (const closed of [place, other]) chmodSync(closed, 0o700);
  const archive = join(folder, 'willcall.tar.gz');

  await installed(place);
  const first = await started(place);
  await new Staff(first.printed('api')).putListing('lst-1', { quantity: 100_000 });
  const selling = buyers(platformOf(first));
  await until(() => selling.acknowledged.length >= ACKNOWLEDGED_BEFORE, { withinMs: 60_000 });
  const before = [...selling.acknowledged];
  expect(await willcall(`backup ${archive}`, place)).toMatch(/^Backed up \S+ to \S+: [\d,]+ files, [\d,]+ MB/);
  const meanwhile = selling.acknowledged.length - before.length;
  await selling.stop();
  expect(meanwhile).toBeGreaterThan(0);
  await stopped(first, place);

  expect(await willcall(`restore ${archive}`, other)).toMatch(/^Restored \S+ as it was at [\dT:.-]+Z\. Start it/);
  const restored = await started(other);
  // The anchors were in the backup.
  expect(await willcall('verify', other)).toMatch(
    /\nChained under the key: .*\nCompared with \d+ anchors\.\nEverything agrees/s,
  );
  const platform = platformOf(restored);
  for (const id of before) expect((await platform.read(id)).body).toMatchObject({ id });
  const more = await platform.bought({ ...cardBody(), ref_id: 'after' });
  expect(before).not.toContain(more);
  await stopped(restored, other);
  removeByHand(restored.printed('data'), other);
});
