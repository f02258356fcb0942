import { startBare } from '../setup/bare.js';
import { createDiscoverySetup, type DiscoverySetup } from '../setup/discovery-setup.js';
import { DiscoveryPaths } from '../setup/discovery-paths.js';
import { CONNECTIONS, Load } from '../setup/load.js';
import type { Service } from '../setup/service.js';
import { type Comparison, interleaved, comparisonText } from '../interleaved.js';
import type { RunOptions, Figure, Measurement } from '../measurement.js';

/** Requests to the public API, each against a bare GET with one prepared select by key. Targets are those of issue 4. */
export const discovery: Measurement = {
  name: 'discovery',
  about: 'GET /2/events filtered, near a place, by free text, one, and far pages, against a bare GET',
  async run(options) {
    options.say('writing the catalogue');
    const setup = await createDiscoverySetup(options);
    const load = new Load();
    const bare = await startBare(setup.database);
    const stage: Stage = { setup, bare, load, options, barePaths: new DiscoveryPaths(setup).single() };
    try {
      return await measure(stage);
    } finally {
      await load.stop();
      await bare.stop();
      await setup.remove();
    }
  },
};

type Stage = Readonly<{
  setup: DiscoverySetup;
  bare: Service;
  load: Load;
  options: RunOptions;
  barePaths: readonly string[];
}>;

const MOST_P99_MS = 50;

async function measure(stage: Stage): Promise<Figure[]> {
  const paths = new DiscoveryPaths(stage.setup);
  const first = `http://127.0.0.1:${stage.setup.api.port}${paths.page(1)[0] ?? ''}`;
  // The api loads its index before the first answer, which takes longer than the load generator waits.
  if (!(await fetch(first)).ok) throw new Error('The api does not answer searches.');
  return [
    ...(await figuresOf(stage, { name: 'GET /2/events/{id}', paths: paths.single(), atLeast: 0.7 })),
    ...(await figuresOf(stage, {
      name: 'GET /2/events, city, dates and taxonomy',
      paths: paths.filtered(),
      atLeast: 0.25,
    })),
    ...(await figuresOf(stage, { name: 'GET /2/events, lat and lon', paths: paths.near(), atLeast: 0.2 })),
    ...(await figuresOf(stage, { name: 'GET /2/events, free text', paths: paths.text(), atLeast: 0.1 })),
    await farPages(stage, paths),
  ];
}

type Wanted = Readonly<{ name: string; paths: readonly string[]; atLeast: number }>;

async function figuresOf(stage: Stage, { name, paths, atLeast }: Wanted): Promise<Figure[]> {
  const { setup, bare, barePaths, options, load } = stage;
  const count = options.quick ? 2_000 : 10_000;
  const comparison = await interleaved(
    options.quick ? 2 : 7,
    () => rateOf(stage, bare, barePaths, count),
    () => rateOf(stage, setup.api, paths, count),
  );
  options.say(`${name}: ${comparisonText(comparison)}`);
  const perSecond = Math.max(1, Math.round(comparison.ours / 2));
  const seconds = options.quick ? 2 : 10;
  const plan = { kind: 'public', count: perSecond * seconds, paths } as const;
  const { p99Ms } = await load.run({ port: setup.api.port, connections: CONNECTIONS, plan, status: 200, perSecond });
  return [
    { name, value: comparison.ratio, unit: 'of the limit', target: { atLeast }, detail: comparisonText(comparison) },
    {
      name: `${name}, p99 at half of that rate`,
      value: p99Ms,
      unit: 'ms',
      target: { atMost: MOST_P99_MS },
      detail: `${perSecond} a second`,
    },
  ];
}

async function farPages(stage: Stage, paths: DiscoveryPaths): Promise<Figure> {
  const { setup, options } = stage;
  const count = options.quick ? 1_000 : 5_000;
  const comparison: Comparison = await interleaved(
    options.quick ? 2 : 5,
    () => rateOf(stage, setup.api, paths.page(1), count),
    () => rateOf(stage, setup.api, paths.page(1_000), count),
  );
  return {
    name: 'GET /2/events?page=1000 against page 1',
    value: comparison.ratio,
    unit: 'of the limit',
    target: { atLeast: 0.5 },
    detail: comparisonText(comparison),
  };
}

async function rateOf({ load }: Stage, { port }: Service, paths: readonly string[], count: number): Promise<number> {
  const plan = { kind: 'public', count, paths } as const;
  const { seconds } = await load.run({ port, connections: CONNECTIONS, plan, status: 200 });
  return count / seconds;
}
