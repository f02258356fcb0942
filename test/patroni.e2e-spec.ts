import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingPrograms } from '../deploy/patroni/missing-programs.mjs';
import { apiEnvironment } from './support/api-environment.js';
import { call } from './support/callers.js';
import { Load } from './support/stand/load.js';
import { willcall } from './support/stand/service.js';
import { violationsAfter } from './support/stand/settled.js';
import { Stand } from './support/stand/stand.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { until } from './support/until.js';

const script = resolve(import.meta.dirname, '../deploy/patroni/cluster.mjs');
const BREAKS = ['kill-redis', 'kill-postgres', 'switchover', 'kill-node', 'freeze-node', 'freeze-standby'];

// FAILOVERS=3 breaks each part three times. WAY=hosts or WAY=haproxy lets all programs reach PostgreSQL in that way, for docs/scale.md.
const ROUNDS = Number(process.env['FAILOVERS'] ?? 1);
const WAYS = process.env['WAY'] ? [process.env['WAY'], process.env['WAY']] : ['hosts', 'haproxy'];
const ALL = Array.from({ length: ROUNDS }, () => BREAKS).flat();

describe.skipIf(missingPrograms.length > 0)('on a cluster of Patroni, HAProxy and Sentinels', () => {
  const folder = temporaryFolder('patroni');
  const stopNow = () => void spawnSync(process.execPath, [script, 'stop', '--folder', folder]);
  let stand: Stand;
  let load: Load;
  let sampler: NodeJS.Timeout;
  const purchasesAt: number[] = [];

  beforeAll(async () => {
    process.once('exit', stopNow);
    const output = await cluster('start');
    const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(output)?.[1] ?? '';
    const proxy = /HAProxy: (\S+)/.exec(output)?.[1];
    const url = setting('MIGRATION_DATABASE_URL');
    const ways: Record<string, string> = {
      hosts: setting('DATABASE_URL'),
      haproxy: setting('DATABASE_URL').replace(/@.*\//, `@${proxy}/`),
    };
    const [first, second] = WAYS.map((way) => ({ DATABASE_URL: ways[way] ?? '' }));
    const migration = { ...apiEnvironment(url), ...first, MIGRATION_DATABASE_URL: url };
    expect(await willcall(['migrate'], migration)).toMatchObject({ code: 0 });
    // A ping that times out on a busy machine is sent twice.
    const settings = { ...first, REDIS_URL: setting('REDIS_URL'), PING_TIMEOUT_MS: '5000' };
    stand = await Stand.start({ database: { url }, apis: 1, workers: 1, settings });
    await Promise.all([stand.addApi('api-2', second), stand.addWorker('worker-2', second)]);
    load = await Load.start({ apis: stand.apiUrls });
    sampler = setInterval(() => {
      if (load.acknowledged > purchasesAt.length)
        purchasesAt.push(...Array<number>(load.acknowledged - purchasesAt.length).fill(Date.now()));
    }, 20);
  });
  afterAll(async () => {
    clearInterval(sampler);
    await load?.stop();
    await stand?.close();
    stopNow();
    process.off('exit', stopNow);
  });

  async function cluster(...words: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...words, '--folder', folder]);
    return stdout;
  }

  const isReady = async (url: string) => (await call(`${url}/health/ready`, 'GET')).status === 200;

  it.each(ALL)('purchases and pings go on after %s', async (kind) => {
    await load.waitForPurchases();
    const [from, cut] = [Date.now(), load.cut.length];
    const sentence = await load.atFullSpeed(() => cluster('break', kind));
    const { apis, workers } = stand.parts;
    for (const { url } of [...apis, ...workers]) await until(() => isReady(url));
    await load.waitForPurchases();
    const seen = stand.platform.arrivals.length;
    await load.atFullSpeed(() => until(() => stand.platform.arrivals.length > seen));
    if (kind === 'kill-redis') expect(load.cut).toHaveLength(cut);
    const without = [
      longestGap(purchasesAt, from),
      longestGap(
        stand.platform.arrivals.map(({ at }) => at),
        from,
      ),
    ];
    console.log(`${kind}: ${sentence.trim()}; no purchase for ${without[0]} s, no ping for ${without[1]} s`);
    await load.atFullSpeed(() => cluster('repair'));
    await load.waitForPurchases();
    // The same processes went on.
    expect(stand.dead).toEqual([]);
  });

  it('no acknowledged purchase is lost, and verify finds no difference', async () => {
    await load.stop();
    expect(load.acknowledged).toBeGreaterThan(20);
    expect(await violationsAfter(load, stand)).toEqual([]);
    console.log(`${load.acknowledged} purchases acknowledged, 0 lost`);
  });

  it('the end leaves no process and no file', async () => {
    expect(processesBelow(folder)).not.toEqual([]);
    await cluster('stop');
    expect(processesBelow(folder)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });
});

/** In seconds, from then until now. */
function longestGap(times: readonly number[], from: number): string {
  const all = [from, ...times.filter((time) => time > from), Date.now()];
  const gaps = all.slice(1).map((time, index) => time - (all[index] ?? time));
  return (Math.max(...gaps) / 1_000).toFixed(1);
}

function processesBelow(folder: string): string[] {
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readlinkSync(`/proc/${id}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });
}
