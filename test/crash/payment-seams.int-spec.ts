import { afterAll, expect, it } from 'vitest';
import { cases } from '../support/cases.js';
import { BraintreeDouble } from '../support/payments/braintree-double.js';
import { CrashCourse } from '../support/payments/crashes/crash-course.js';
import { StripeDouble } from '../support/payments/stripe-double.js';

// For each provider. `CASES=50` makes them 2,000.
const CRASHES = cases(40);
// The jobs of the dead wait for 15 s. After more crashes, what they left would be all that a life gets to do.
const JUDGED_EVERY = 40;
// `SEED` repeats other ones.
const SEED = Number(process.env['SEED'] ?? 20_261_126);
// A life takes a fifth of a second, on a busy machine some seconds.
const TIMEOUT_MS = 180_000 + CRASHES * 10_000;

const courses: CrashCourse[] = [];
afterAll(() => Promise.all(courses.map((course) => course.close())));

it.concurrent.each([
  { name: 'stripe', start: () => StripeDouble.start() },
  { name: 'braintree', start: () => BraintreeDouble.start() },
] as const)(
  'no charge is without its order and no order without its charge, wherever the program dies: $name',
  async ({ name, start }) => {
    const course = await CrashCourse.open({ name, double: await start() });
    courses.push(course);
    for (let crash = 0; crash < CRASHES; crash += 1) {
      await course.crash(SEED + crash);
      if ((crash + 1) % JUDGED_EVERY === 0 || crash + 1 === CRASHES) {
        expect(await course.violations(), `SEED=${SEED}, ${crash + 1} crashes`).toEqual([]);
        if (process.env['CASES']) console.log(`${name}: ${crash + 1} crashes, no violation`);
      }
    }
    if (process.env['CASES']) console.log(name, course.deaths);
  },
  TIMEOUT_MS,
);
