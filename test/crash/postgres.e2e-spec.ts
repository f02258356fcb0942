import { afterAll, beforeAll, expect, it } from 'vitest';
import { Load } from '../support/stand/load.js';
import { violationsAfter } from '../support/stand/settled.js';
import { Stand } from '../support/stand/stand.js';

let stand: Stand;

beforeAll(async () => {
  stand = await Stand.start();
});

afterAll(() => stand.close());

it('nothing is lost when PostgreSQL is killed twice, and api and worker reconnect by themselves', async () => {
  const { cluster, apis, workers } = stand.parts;
  const pids = () => [...apis, ...workers].map(({ pid }) => pid);
  const before = pids();
  const load = await Load.start({ apis: stand.apiUrls });
  for (let death = 1; death <= 2; death += 1) {
    await load.goesOn();
    await cluster?.kill();
    await load.isCut(20);
    await cluster?.restart();
    await load.goesOn();
  }
  await load.stop();
  expect(await violationsAfter(load, stand)).toEqual([]);
  expect(pids()).toEqual(before);
  expect([...apis, ...workers].every(({ running }) => running)).toBe(true);
  // The services are bundled, but the stacks in their logs name the files that the bundle was made of.
  const stacks = [...apis, ...workers].flatMap(({ log }) => log().match(/"stack":"[^"]+"/g) ?? []);
  expect(stacks.join()).toContain('node_modules/pg-protocol/dist/');
  expect(stacks.join()).not.toContain('dist/programs');
});
