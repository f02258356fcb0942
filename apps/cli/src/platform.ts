import { Command, InvalidArgumentError, Option } from 'commander';
import { DELIVERY_TYPES } from '#listings/delivery.contract';
import { buy, type BuyOptions } from './platform/buy.js';
import { withCallOptions, type CallOptions, runCall, processRuntime, type CliRuntime } from './platform/call.js';
import { watch } from './platform/watch.js';

/** `platform lookup|buy|get`: acts as the ticketing platform, against any address. */
export function platformCommand(runtime: CliRuntime = processRuntime): Command {
  return new Command('platform')
    .description('acts as the ticketing platform against any address; exits with 1 if refused, 3 without an answer')
    .addCommand(lookupCommand(runtime))
    .addCommand(buyCommand(runtime))
    .addCommand(getCommand(runtime));
}

function lookupCommand(runtime: CliRuntime): Command {
  type Options = CallOptions & Readonly<{ quantity?: number; country?: string; state?: string; event?: string }>;
  return withCallOptions(new Command('lookup').description('looks up a listing'))
    .argument('<listing>')
    .option('--quantity <n>', 'tickets wanted', wholeNumber)
    .option('--country <code>', 'where the tickets are sent')
    .option('--state <code>', 'where the tickets are sent')
    .option('--event <id>', 'the event of the listing')
    .action((listing: string, { quantity, country, state, event, ...options }: Options) =>
      runCall(runtime, options, async ({ client, conversation, transactionId }) => {
        const query = { event_id: event, quantity, country, state };
        return conversation.finish(await client.lookup(listing, query, { transactionId }));
      }),
    );
}

function buyCommand(runtime: CliRuntime): Command {
  return withCallOptions(new Command('buy').description('looks up a listing and buys from it at the quoted price'))
    .argument('<listing>')
    .requiredOption('--event <id>', 'the event of the listing')
    .requiredOption('--quantity <n>', 'tickets', wholeNumber)
    .addOption(new Option('--variant <variant>', 'default: CHECKOUT_VARIANT').choices(['payment', 'wholesale']))
    .option('--total <dollars>', 'default: the total of the lookup', Number)
    .option('--card <number>', 'card to pay with', '4111111111111111')
    .option('--cvv <digits>', 'of the card', '123')
    .option('--token <token>', 'pay by token instead of a card')
    .addOption(
      new Option('--token-type <type>').choices(['providera_token', 'providerb_token']).default('providera_token'),
    )
    .addOption(new Option('--delivery <type>', 'default: the first one offered').choices(DELIVERY_TYPES))
    .option('--country <code>', 'of the address', 'US')
    .option('--state <code>', 'of the address', 'MA')
    .option('--city <name>', 'of the address', 'Boston')
    .option('--zip <code>', 'of the address', '02108')
    .option('--ref-id <id>', "the platform's own reference")
    .option('--trusted', 'mark the user as trusted')
    .action((listing: string, options: BuyOptions & CallOptions) => {
      const variant = options.variant ?? runtime.settings().CHECKOUT_VARIANT;
      const now = runtime.dependencies.clock.now();
      return runCall(runtime, options, (call) => buy(call, listing, { ...options, variant }, now));
    });
}

function getCommand(runtime: CliRuntime): Command {
  type Options = CallOptions & Readonly<{ watch?: boolean }>;
  return withCallOptions(new Command('get').description('reads a purchase'))
    .argument('<purchase id>')
    .option('--watch', 'keep reading until it is rejected, and print each change')
    .action((id: string, { watch: quiet = false, ...options }: Options) =>
      runCall(runtime, { ...options, quiet }, async (call) => {
        if (quiet) return watch(call, id, runtime.dependencies.pause);
        return call.conversation.finish(await call.client.purchase(id, { transactionId: call.transactionId }));
      }),
    );
}

function wholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
