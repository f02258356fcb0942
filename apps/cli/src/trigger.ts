import { Argument, Command, Option } from 'commander';
import { OrderDetail } from '#orders/order.contract';
import { Purchase } from '#orders/purchase.contract';
import { submit } from './platform/buy.js';
import { processRuntime, createCall, type CliRuntime } from './platform/call.js';
import { withServiceOptions, type RunningService, runningService, type ServiceOptions } from './running-service.js';
import { safeJson, visible } from './terminal/text-table.js';
import { UsageError, UserError } from './terminal/user-error.js';

type Options = ServiceOptions &
  Readonly<{
    listing?: string;
    event?: string;
    variant?: 'payment' | 'wholesale';
    evenWithoutSandbox?: boolean;
    json?: boolean;
  }>;

/** Changes the order. */
type Step = (service: RunningService, id: string) => Promise<OrderDetail>;

const toStatus =
  (status_code: number): Step =>
  (service, id) =>
    service.call('POST orders/{id}/status', { path: { id }, body: { status_code } }, OrderDetail);
const shipped: Step = (service, id) => {
  const data = { carrier: service.settings.CARRIERS[0] ?? '', tracking_number: '1Z999AA10123456784' };
  return service.call('POST orders/{id}/fulfillment', { path: { id }, body: { type: 'ship', data } }, OrderDetail);
};
const downloaded: Step = (service, id) => {
  const data = { url: 'https://tickets.example/test' };
  return service.call('POST orders/{id}/fulfillment', { path: { id }, body: { type: 'download', data } }, OrderDetail);
};

type Plan = Readonly<{ code: number; step?: Step; delivery?: 'ship' | 'download'; needsManual?: true }>;

const PLANS: Readonly<Record<string, Plan>> = {
  'order.confirmed': { code: 2000, step: toStatus(2000) },
  'order.pending': { code: 1001, needsManual: true },
  'order.rejected': { code: 3004, step: toStatus(3004) },
  'order.shipped': { code: 2002, step: shipped, delivery: 'ship' },
  'order.delivered': { code: 2004, step: downloaded, delivery: 'download' },
  'order.exception': { code: 4006, step: toStatus(4006) },
  'order.replacement_offered': { code: 4005, step: toStatus(4005) },
};

const AUTOMATIC = { listing: 'demo-payment-1', event: '1001' };
const MANUAL = { listing: 'demo-manual-1', event: '1003' };
const BUYER = { country: 'US', state: 'MA', city: 'Boston', zip: '02108' };
const CARD = { card: '4111111111111111', cvv: '123', tokenType: 'providera_token' };
const QUANTITY = 1;

/** `trigger`: makes a test order in a given status, so that an integrator receives its pings and webhooks. */
export function triggerCommand(service = runningService, runtime: CliRuntime = processRuntime): Command {
  return withServiceOptions(new Command('trigger'))
    .description('makes a test purchase on a demo listing and moves it to a status; only with the sandbox platform')
    .addArgument(new Argument('<what>', 'the event to trigger').choices(Object.keys(PLANS)))
    .option('--listing <id>', 'the listing to buy from, with --event; default: a demo listing')
    .option('--event <id>', 'the event of the listing')
    .addOption(new Option('--variant <variant>', 'default: CHECKOUT_VARIANT').choices(['payment', 'wholesale']))
    .option('--even-without-sandbox', 'also if pings go to a real platform')
    .option('--json', 'print JSON')
    .action(async (what: string, options: Options) => {
      if ((options.listing === undefined) !== (options.event === undefined)) {
        throw new UsageError('--listing and --event go together.');
      }
      const running = service(options);
      if (!options.evenWithoutSandbox && !(await running.hasSandboxPlatform())) {
        throw new UserError(
          'Pings go to a real platform here, which would receive a test order. Use --even-without-sandbox to do it anyway.',
        );
      }
      await trigger(running, PLANS[what] ?? { code: 0 }, options, runtime);
    });
}

async function trigger(service: RunningService, plan: Plan, options: Options, runtime: CliRuntime): Promise<void> {
  const print = (text: string) => (options.json ? undefined : runtime.print(visible(text)));
  const bought = await purchase(service, plan, options, runtime);
  const { product, status, id } = bought;
  print(`bought  ${id}  ${product.quantity} of listing ${product.listing_id}: ${describeStatus(status)}`);
  let now = status;
  if (now.status_code !== plan.code && plan.step) {
    const order = await plan.step(service, id);
    now = order.status ?? now;
    print(`moved   ${id}  ${describeStatus(now)}`);
  }
  if (now.status_code !== plan.code) {
    const advice = plan.needsManual ? ': take a listing with manual confirmation' : '';
    throw new UserError(`The order ${id} is ${describeStatus(now)}, not ${plan.code}${advice}.`);
  }
  if (options.json) runtime.print(safeJson({ order_id: id, status: now }));
}

async function purchase({ url, settings }: RunningService, plan: Plan, options: Options, runtime: CliRuntime) {
  const { listing, event } = { ...(plan.needsManual ? MANUAL : AUTOMATIC), ...chosenListing(options) };
  const variant = options.variant ?? settings.CHECKOUT_VARIANT;
  const call = createCall(
    { ...runtime, settings: () => settings },
    { url: `${url}/checkout`, quiet: true, json: options.json ?? false },
  );
  const choice = {
    ...BUYER,
    ...CARD,
    event,
    quantity: QUANTITY,
    variant,
    ...(plan.delivery && { delivery: plan.delivery }),
  };
  const outcome = await submit(call, listing, choice, runtime.dependencies.clock.now());
  if (!outcome.answered || outcome.status !== 201) {
    call.conversation.finish(outcome);
    throw new UserError('The test purchase was not made.');
  }
  return Purchase.parse(outcome.body);
}

function chosenListing({ listing, event }: Options) {
  return listing === undefined || event === undefined ? {} : { listing, event };
}

function describeStatus({
  status_code,
  status_message,
}: Readonly<{ status_code: number; status_message: string }>): string {
  return `${status_code} ${status_message}`;
}
