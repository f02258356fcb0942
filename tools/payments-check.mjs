// `npm run payments:check`: runs the cases of test/payments.check-spec.ts against the test modes of the payment providers whose keys are
// in the environment. Without keys it says which are missing.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** `live`: how a key looks with which the cases would take real money. */
const PROVIDERS = [{ name: 'stripe', keys: ['STRIPE_SECRET_KEY'], live: /^[rs]k_live_/ }];

const environment = { ...process.env };
const checked = [];
for (const { name, keys, live } of PROVIDERS) {
  for (const key of keys) {
    const file = process.env[`${key}_FILE`];
    if (environment[key] === undefined && file) environment[key] = readFileSync(file, 'utf8').trim();
  }
  const missing = keys.filter((key) => !environment[key]);
  if (missing.length > 0) console.log(`${name}: not checked, without ${missing.join(', ')}.`);
  else if (keys.some((key) => live.test(environment[key]))) {
    console.error(`${name}: not checked. ${keys.join(', ')}: must be of the test mode.`);
    process.exitCode = 1;
  } else checked.push(name);
}

if (checked.length > 0) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'payments'];
  const env = { ...environment, PAYMENTS_CHECKED: checked.join(',') };
  const { status } = spawnSync(process.execPath, vitest, { stdio: 'inherit', env });
  process.exitCode = status || process.exitCode;
}
