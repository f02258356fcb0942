import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Clock, SystemClock } from '#runtime/clock';
import { type Randomness, SystemRandomness } from '#runtime/randomness';
import { CheckoutCalls } from '#client/checkout-calls';
import { resolveDependencies } from '#client/dependencies';
import { loadSettings, type Settings } from '#config/settings';
import { type AccessOptions, accessOf } from './access.js';
import { Conversation } from './conversation.js';

type Dependencies = Readonly<{ clock: Clock; randomness: Randomness; pause: (ms: number) => Promise<unknown> }>;

/** What the commands touch outside themselves. */
export type World = Readonly<{
  settings: () => Settings;
  dependencies: Dependencies;
  print: (text: string) => void;
  end: (code: number) => void;
}>;

export const ourWorld: World = {
  settings: () => loadSettings(),
  dependencies: { clock: new SystemClock(), randomness: new SystemRandomness(), pause },
  print: (text) => console.log(text),
  end: (code) => (process.exitCode = code),
};

/** A call in the making: the client that makes it, and who tells of it. */
export type Call = Readonly<{ client: CheckoutCalls; conversation: Conversation; transactionId: string }>;

export type CallOptions = AccessOptions &
  Readonly<{ transactionId?: string; json?: boolean; verbose?: boolean; quiet?: boolean }>;

/** The options that every call has. */
export function calling(command: Command): Command {
  return command
    .option('--url <address>', 'base of the checkout service, without the version; default: PUBLIC_URL/checkout')
    .option('--client-id <id>', 'default: CHECKOUT_CLIENT_ID, or what the demo made up')
    .option('--secret <secret>', 'of the client')
    .option('--scheme <word>', 'in the Authorization header; default: CHECKOUT_SCHEME')
    .option('--transaction-id <id>', 'default: one is made up')
    .option('--verbose', 'show the text that is signed, which holds the card')
    .option('--json', 'print nothing but the JSON of the answer');
}

/** Ends with the exit code that the work gives. */
export async function during(world: World, options: CallOptions, work: (call: Call) => Promise<number>): Promise<void> {
  world.end(await work(placeCall(world, options)));
}

/** Who calls and where, by the options and else by the settings. */
export function placeCall(world: World, options: CallOptions): Call {
  const { url, scheme, ...credentials } = accessOf(options, world.settings());
  const { json = false, verbose = false, quiet = false } = options;
  const conversation = new Conversation({ json, verbose, quiet, print: world.print }, new URL(url).origin);
  const { clock, randomness, pause: sleep } = world.dependencies;
  const dependencies = resolveDependencies({ now: () => clock.now(), random: () => randomness.fraction(), sleep });
  const client = new CheckoutCalls({ url, scheme }, credentials, dependencies, {
    onTry: (made) => conversation.tried(made),
  });
  const transactionId = options.transactionId ?? `cli-${randomness.bytes(12).toString('hex')}`;
  return { client, conversation, transactionId };
}
