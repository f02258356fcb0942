import { createDiscoverySetup, type DiscoverySetup } from '../setup/discovery-setup.js';
import { DiscoveryPaths } from '../setup/discovery-paths.js';
import { CONNECTIONS, Load } from '../setup/load.js';
import type { RunOptions, Figure, Measurement } from '../measurement.js';

/** Recommendations near a city and from all events, and how they slow down other requests. */
export const recommendations: Measurement = {
  name: 'recommendations',
  about: 'GET /2/recommendations near a place and on the whole earth, and others meanwhile',
  async run(options) {
    options.say('writing the catalogue');
    const setup = await createDiscoverySetup(options);
    const load = new Load();
    const others = new Load();
    try {
      return await measure({ setup, load, others, options, paths: new DiscoveryPaths(setup) });
    } finally {
      await load.stop();
      await others.stop();
      await setup.remove();
    }
  },
};

type Stage = Readonly<{ setup: DiscoverySetup; load: Load; others: Load; options: RunOptions; paths: DiscoveryPaths }>;

// Light traffic.
const OTHERS_PER_SECOND = 100;

async function measure(stage: Stage): Promise<Figure[]> {
  const { setup, paths } = stage;
  const near = paths.recommended('200mi');
  // The api loads its index before the first answer, which takes longer than the load generator waits.
  const answer = await fetch(`http://127.0.0.1:${setup.api.port}${near[0] ?? ''}`);
  if (!answer.ok) throw new Error('The api does not recommend.');
  const wholeEarth = paths.recommended('20000km');
  return [
    ...(await figuresOf(stage, 'near a city', near, stage.options.quick ? 200 : 1_500)),
    ...(await figuresOf(stage, 'on the whole earth', wholeEarth, stage.options.quick ? 100 : 500)),
    await othersMeanwhile(stage, wholeEarth),
  ];
}

async function figuresOf(
  { setup, load, options }: Stage,
  where: string,
  paths: readonly string[],
  count: number,
): Promise<Figure[]> {
  const name = `GET /2/recommendations, ${where}`;
  const request = { port: setup.api.port, connections: CONNECTIONS, status: 200 };
  const { seconds } = await load.run({ ...request, plan: { kind: 'public', count, paths } });
  const highest = count / seconds;
  const perSecond = Math.max(1, Math.round(highest / 2));
  const plan = { kind: 'public', count: perSecond * secondsOf(options), paths } as const;
  const { p50Ms, p99Ms } = await load.run({ ...request, plan, perSecond });
  options.say(`${name}: ${highest.toFixed(0)} a second, p99 at half of it ${p99Ms.toFixed(0)} ms`);
  return [
    { name, value: highest, unit: 'a second', detail: `${CONNECTIONS} connections` },
    {
      name: `${name}, p99 at half of that rate`,
      value: p99Ms,
      unit: 'ms',
      detail: `${perSecond} a second, median ${p50Ms.toFixed(1)} ms`,
    },
  ];
}

/** Quick requests, alone and while the api computes as many recommendations as it can. */
async function othersMeanwhile({ setup, load, others, options, paths }: Stage, wholeEarth: readonly string[]) {
  const request = { port: setup.api.port, status: 200 };
  const count = OTHERS_PER_SECOND * secondsOf(options);
  const single = {
    ...request,
    connections: CONNECTIONS,
    plan: { kind: 'public', count, paths: paths.single() },
    perSecond: OTHERS_PER_SECOND,
  } as const;
  const alone = await others.run(single);
  const plan = { kind: 'public', count: options.quick ? 200 : 600, paths: wholeEarth } as const;
  const [, beside] = await Promise.all([load.run({ ...request, connections: 10, plan }), others.run(single)]);
  return {
    name: 'GET /2/events/{id} beside recommendations on the whole earth, p99',
    value: beside.p99Ms,
    unit: 'ms',
    detail: `${OTHERS_PER_SECOND} a second beside 10 connections; alone ${alone.p99Ms.toFixed(1)} ms`,
  } as const;
}

const secondsOf = ({ quick }: RunOptions) => (quick ? 2 : 10);
