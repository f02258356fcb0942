import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Clock, SystemClock } from '#base/clock';
import { type Randomness, SystemRandomness } from '#base/randomness';
import { CheckoutCalls } from '#client/checkout-calls';
import { resolveDependencies } from '#client/dependencies';
import { loadSettings } from '#base/load-settings';
import type { Settings } from '#base/settings';
import { type AccessOptions, resolveAccess } from './access.js';
import { ExchangeLog } from './exchange-log.js';

type Dependencies = Readonly<{ clock: Clock; randomness: Randomness; pause: (ms: number) => Promise<unknown> }>;

/** Everything that the commands use of the process. */
export type CliRuntime = Readonly<{
  settings: () => Settings;
  dependencies: Dependencies;
  print: (text: string) => void;
  setExitCode: (code: number) => void;
}>;

export const processRuntime: CliRuntime = {
  settings: () => loadSettings(),
  dependencies: { clock: new SystemClock(), randomness: new SystemRandomness(), pause },
  print: (text) => console.log(text),
  setExitCode: (code) => (process.exitCode = code),
};

/** The client that makes a call, and its output. */
export type Call = Readonly<{ client: CheckoutCalls; conversation: ExchangeLog; transactionId: string }>;

export type CallOptions = AccessOptions &
  Readonly<{ transactionId?: string; json?: boolean; verbose?: boolean; quiet?: boolean }>;

/** Adds the options of every call. */
export function withCallOptions(command: Command): Command {
  return command
    .option('--url <address>', 'base of the checkout service, without the version; default: PUBLIC_URL/checkout')
    .option('--client-id <id>', 'default: CHECKOUT_CLIENT_ID, or the one of the demo')
    .option('--secret <secret>', 'of the client')
    .option('--scheme <word>', 'in the Authorization header; default: CHECKOUT_SCHEME')
    .option('--transaction-id <id>', 'default: a random one')
    .option('--verbose', 'show the text that is signed, which holds the card')
    .option('--json', 'print nothing but the JSON of the answer');
}

export async function runCall(
  runtime: CliRuntime,
  options: CallOptions,
  work: (call: Call) => Promise<number>,
): Promise<void> {
  runtime.setExitCode(await work(createCall(runtime, options)));
}

/** Resolves the caller and the address from the options and the settings. */
export function createCall(runtime: CliRuntime, options: CallOptions): Call {
  const { url, scheme, ...credentials } = resolveAccess(options, runtime.settings());
  const { json = false, verbose = false, quiet = false } = options;
  const conversation = new ExchangeLog({ json, verbose, quiet, print: runtime.print }, new URL(url).origin);
  const { clock, randomness, pause: sleep } = runtime.dependencies;
  const dependencies = resolveDependencies({ now: () => clock.now(), random: () => randomness.fraction(), sleep });
  const client = new CheckoutCalls({ url, scheme }, credentials, dependencies, {
    onTry: (made) => conversation.logAttempt(made),
  });
  const transactionId = options.transactionId ?? `cli-${randomness.bytes(12).toString('hex')}`;
  return { client, conversation, transactionId };
}
