import { Command, Option } from 'commander';
import { NewWebhook, type WebhookOptions, TestDelivery, WebhookWithSecret } from '#outbound/webhook.contract';
import { describeIssues } from '#web/issues.contract';
import { STATUS_VALUES } from '#domain/status';
import { withServiceOptions, type RunningService, type ServiceOptions } from './running-service.js';
import { safeJson, visible } from './terminal/text-table.js';
import { UsageError } from './terminal/user-error.js';
import { wholeNumber } from './terminal/whole-number.js';

/** The service whose settings and network decide which addresses are allowed. */
export type UseService = (options: ServiceOptions) => Pick<RunningService, 'call'>;

type Options = ServiceOptions & Readonly<{ json?: boolean }>;
type AddOptions = Options & Readonly<{ secret?: string; from?: number }>;

const MAX_RATE = 10_000;

/** How each option of a webhook is given. Null: it is not offered, because there is only one value. */
const WEBHOOK_OPTIONS: Readonly<Record<keyof WebhookOptions, Option | null>> = {
  description: new Option('--description <text>', 'a name for people'),
  statuses: new Option(
    '--statuses <statuses>',
    `only these, separated by commas: ${STATUS_VALUES.join(', ')}`,
  ).argParser(splitList),
  event_types: null,
  rate_per_second: new Option('--rate <a second>', 'the limit of deliveries a second').argParser(
    wholeNumber(1, MAX_RATE),
  ),
};

/** `webhooks add`: calls the running service, which checks the address. */
export function addCommand(use: UseService): Command {
  const command = withServiceOptions(new Command('add'))
    .description('subscribes a receiver at the running service and prints its secret, only once')
    .argument(
      '<url>',
      'public https address, a broker (tls:// of NATS, amqps:// of RabbitMQ) or a bucket (s3://); others only with WEBHOOK_ALLOW_PRIVATE',
    );
  for (const option of Object.values(WEBHOOK_OPTIONS)) if (option) command.addOption(option);
  return command
    .option('--secret <secret>', 'whsec_ and the base64 of 24 to 64 bytes; default: a random one')
    .option(
      '--from <position>',
      'begin after this position of the ping stream, 0 for all of it',
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .option('--json', 'print JSON')
    .action(async (url: string, { secret, from, json, ...service }: AddOptions) => {
      const webhook = { url, ...givenOptions(command), secret, from_position: from };
      const { data, error } = NewWebhook.safeParse(webhook);
      if (error) throw new UsageError(describeIssues(error.issues));
      printSecret(await use(service).call('POST webhooks', { body: data }, WebhookWithSecret), json);
    });
}

function givenOptions(command: Command): Partial<Record<keyof WebhookOptions, unknown>> {
  const named = Object.entries(WEBHOOK_OPTIONS);
  return Object.fromEntries(
    named.flatMap(([name, option]) => (option ? [[name, command.getOptionValue(option.attributeName())]] : [])),
  );
}

/** `webhooks test`: the running service sends it, like a real delivery. */
export function testCommand(use: UseService): Command {
  return withServiceOptions(new Command('test'))
    .description('makes the running service send a signed test message at once, and shows the answer')
    .argument('<webhook id>', 'see list')
    .option('--json', 'print JSON')
    .action(async (id: string, { json, ...service }: Options) => {
      const test = use(service).call('POST webhooks/{id}/test', { path: { id } }, TestDelivery);
      const { request: _, ...result } = await test;
      if (json) return console.log(safeJson(result));
      const { delivered, http_status, error, answer, duration_ms } = result;
      const outcome = visible(error ?? String(http_status));
      console.log(`${delivered ? 'delivered' : 'failed'}  ${outcome} after ${duration_ms} ms`);
      if (answer) console.log(answer.split('\n').map(visible).join('\n'));
    });
}

export function printSecret(webhook: Readonly<{ id: string; secret: string }>, json = false): void {
  if (json) return console.log(safeJson(webhook));
  console.log(`webhook id  ${webhook.id}\nsecret      ${webhook.secret}\nThe secret is not shown again.`);
}

function splitList(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}
