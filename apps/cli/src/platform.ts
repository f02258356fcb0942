import { Command, InvalidArgumentError, Option } from 'commander';
import { DELIVERY_TYPES } from '#contracts/checkout/delivery';
import { buy, type BuyOptions } from './platform/buy.js';
import { calling, type CallOptions, during, ourWorld, type World } from './platform/call.js';
import { watch } from './platform/watch.js';

/** `platform lookup|buy|get`: the ticketing platform's part, against any address. */
export function platformCommand(world: World = ourWorld): Command {
  return new Command('platform')
    .description(
      "plays the ticketing platform's part against any address; ends with 1 when refused, 3 without an answer",
    )
    .addCommand(lookupCommand(world))
    .addCommand(buyCommand(world))
    .addCommand(getCommand(world));
}

function lookupCommand(world: World): Command {
  type Options = CallOptions & Readonly<{ quantity?: number; country?: string; state?: string; event?: string }>;
  return calling(new Command('lookup').description('looks a listing up'))
    .argument('<listing>')
    .option('--quantity <n>', 'tickets wanted', wholeNumber)
    .option('--country <code>', 'where they are sent')
    .option('--state <code>', 'where they are sent')
    .option('--event <id>', 'the event they are for')
    .action((listing: string, { quantity, country, state, event, ...options }: Options) =>
      during(world, options, async ({ client, conversation, transactionId }) => {
        const query = { event_id: event, quantity, country, state };
        return conversation.ended(await client.lookup(listing, query, { transactionId }));
      }),
    );
}

function buyCommand(world: World): Command {
  return calling(new Command('buy').description('looks a listing up and buys from it at the price it was told'))
    .argument('<listing>')
    .requiredOption('--event <id>', 'the event that the listing is for')
    .requiredOption('--quantity <n>', 'tickets', wholeNumber)
    .addOption(new Option('--variant <variant>', 'default: CHECKOUT_VARIANT').choices(['payment', 'wholesale']))
    .option('--total <dollars>', 'instead of the total that the lookup gives', Number)
    .option('--card <number>', 'card to pay with', '4111111111111111')
    .option('--cvv <digits>', 'of the card', '123')
    .option('--token <token>', 'pay by token instead of a card')
    .addOption(
      new Option('--token-type <type>').choices(['providera_token', 'providerb_token']).default('providera_token'),
    )
    .addOption(new Option('--delivery <type>', 'default: the first that is offered').choices(DELIVERY_TYPES))
    .option('--country <code>', 'of the address', 'US')
    .option('--state <code>', 'of the address', 'MA')
    .option('--city <name>', 'of the address', 'Boston')
    .option('--zip <code>', 'of the address', '02108')
    .option('--ref-id <id>', "the platform's own reference")
    .option('--trusted', 'say that the user is trusted')
    .action((listing: string, options: BuyOptions & CallOptions) => {
      const variant = options.variant ?? world.settings().CHECKOUT_VARIANT;
      const now = world.dependencies.clock.now();
      return during(world, options, (call) => buy(call, listing, { ...options, variant }, now));
    });
}

function getCommand(world: World): Command {
  type Options = CallOptions & Readonly<{ watch?: boolean }>;
  return calling(new Command('get').description('reads a purchase'))
    .argument('<purchase id>')
    .option('--watch', 'go on until it is rejected, telling of each change')
    .action((id: string, { watch: quiet = false, ...options }: Options) =>
      during(world, { ...options, quiet }, async (call) => {
        if (quiet) return watch(call, id, world.dependencies.pause);
        return call.conversation.ended(await call.client.purchase(id, { transactionId: call.transactionId }));
      }),
    );
}

function wholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
