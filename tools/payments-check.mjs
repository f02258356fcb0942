// `npm run payments:check`: runs the cases of test/payments.check-spec.ts against the test modes of the payment providers whose keys are
// in the environment. Without keys it says which are missing.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** `isLive`: the cases would take real money. */
const PROVIDERS = [
  {
    name: 'stripe',
    keys: ['STRIPE_SECRET_KEY'],
    isLive: ({ STRIPE_SECRET_KEY }) => /^[rs]k_live_/.test(STRIPE_SECRET_KEY),
  },
  {
    name: 'braintree',
    keys: ['BRAINTREE_MERCHANT_ID', 'BRAINTREE_PUBLIC_KEY', 'BRAINTREE_PRIVATE_KEY'],
    // Its keys do not tell, but its addresses do. The check takes the sandbox's where none is set.
    isLive: ({ BRAINTREE_API_URL = '' }) => BRAINTREE_API_URL.includes('//payments.braintree-api.com'),
  },
];

const environment = { ...process.env };
const checked = [];
for (const { name, keys, isLive } of PROVIDERS) {
  for (const key of keys) {
    const file = process.env[`${key}_FILE`];
    if (environment[key] === undefined && file) environment[key] = readFileSync(file, 'utf8').trim();
  }
  const missing = keys.filter((key) => !environment[key]);
  if (missing.length > 0) console.log(`${name}: not checked, without ${missing.join(', ')}.`);
  else if (isLive(environment)) {
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
