import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CLOSED } from '#delivery-kit/circuit-breaker';
import {
  type Answer,
  CALLS,
  DrainSimulation,
  type SimulationEvent,
  type Planned,
  type SimulationPlan,
} from '../../../../test/support/webhooks/drain-simulation.js';
import { TRANSITIONS } from './drain-state.js';
import type { Wakeup } from './endpoint-drain.js';

const order = fc.integer({ min: 1, max: 5 });
const happening: fc.Arbitrary<SimulationEvent> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant('entry' as const),
      order,
      told: fc.constantFrom('by a wake', 'by a job', 'not at all'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('pause' as const, 'resume' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('stop', 'lease passes to another', 'remove') }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('error' as const) }) },
);
const planned: fc.Arbitrary<Planned> = fc.record({
  when: fc.oneof(
    fc.record({ call: fc.constantFrom(...CALLS), number: fc.constantFrom(0, 0, 0, 1, 2) }),
    fc.record({ ms: fc.integer({ min: 0, max: 4_000 }) }),
  ),
  happens: happening,
});
const answer: fc.Arbitrary<Answer> = fc.record({
  status: fc.oneof(
    { weight: 12, arbitrary: fc.constant(204) },
    { weight: 4, arbitrary: fc.constantFrom(500, 429) },
    { weight: 1, arbitrary: fc.constant(410) },
  ),
  afterMs: fc.integer({ min: 0, max: 700 }),
  retryAfterMs: fc.option(fc.integer({ min: 1, max: 5_000 }), { nil: undefined, freq: 8 }),
});
const OPEN = { state: 'open', failures: 3, openings: 1, openUntil: 500 } as const;
const plan: fc.Arbitrary<SimulationPlan> = fc.record({
  entries: fc.array(order, { maxLength: 12 }),
  answers: fc.infiniteStream(answer),
  planned: fc.array(planned, { maxLength: 12, size: 'max' }),
  lingerMs: fc.constantFrom(0, 1_000),
  ratePerSecond: fc.constantFrom(2, 50, 10_000),
  breaker: fc.oneof({ weight: 3, arbitrary: fc.constant(CLOSED) }, { weight: 1, arbitrary: fc.constant(OPEN) }),
});

type RunResult = Readonly<{ wakeup: Wakeup | undefined; error?: unknown }>;

/** Runs the drain to its end. */
async function runOf({ drain }: DrainSimulation): Promise<RunResult> {
  let result: RunResult | undefined;
  void drain.run().then(
    (wakeup) => (result = { wakeup }),
    (error: unknown) => (result = { wakeup: undefined, error }),
  );
  for (let turn = 0; result === undefined && turn < 200; turn += 1) await vi.advanceTimersByTimeAsync(1_000);
  if (result === undefined) throw new Error('the drain does not end');
  return result;
}

/** When the endpoint must be checked again. Undefined if it need not be. */
function nextCheckAt({ stream, pending, receiver, wasStopped }: DrainSimulation): number | undefined {
  if (receiver.endpoint.state !== 'active') return undefined;
  if (stream.some(({ told }) => told)) return Date.now();
  const dueAt = pending.map((row) => row.dueAt);
  if (dueAt.length === 0) return undefined;
  const { state, openUntil } = receiver.breaker;
  return Math.max(
    Date.now(),
    Math.min(...dueAt),
    state === 'open' ? (openUntil ?? 0) : 0,
    wasStopped ? 0 : receiver.pacedUntil,
  );
}

describe('the drain of an endpoint', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000 }));
  afterEach(() => void vi.useRealTimers());

  it('ends in every history with nothing in flight, and with a wakeup for everything it leaves', async () => {
    const walked = new Set<string>();
    await fc.assert(
      fc.asyncProperty(plan, async (history) => {
        vi.clearAllTimers();
        vi.setSystemTime(1_000);
        const simulation = new DrainSimulation(history, (phase, event) => walked.add(`${phase}: ${event.is}`));
        const { wakeup, error } = await runOf(simulation);
        expect(simulation.breaches).toEqual([]);
        expect(simulation.inFlight.size).toBe(0);
        expect(simulation.holdsLease).toBe(false);
        const by = nextCheckAt(simulation);
        const isOver = simulation.isInterrupted || error !== undefined || by === undefined;
        if (!isOver) expect(wakeup?.at).toBeLessThanOrEqual(by);
        if (error !== undefined) expect(simulation.isInterrupted).toBe(true);
        simulation.drain.wake();
      }),
      { seed: 20_261_122, numRuns: 1_000 },
    );
    const arrows = Object.entries(TRANSITIONS).flatMap(([phase, row]) =>
      Object.keys(row).map((turn) => `${phase}: ${turn}`),
    );
    expect(arrows.filter((arrow) => !walked.has(arrow))).toEqual([]);
  }, 60_000);
});
