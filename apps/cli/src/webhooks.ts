import { Command, InvalidArgumentError } from 'commander';
import { NewWebhook } from '#contracts/backoffice/webhook';
import { describeIssues } from '#contracts/issues';
import type { FieldRefusal, ListedWebhook, WithSecret } from '#webhooks/webhooks';
import { UserFault } from './user-fault.js';
import { type WebhookTools, withWebhooks } from './with-webhooks.js';

type Use = <T>(work: (tools: WebhookTools) => Promise<T>) => Promise<T>;
type Output = { json?: boolean };

/** `webhooks add|list|pause|resume|rotate|test|remove`: who is told of every ping by an HTTP call of ours. */
export function webhooksCommand(use: Use = withWebhooks): Command {
  return new Command('webhooks')
    .description('receivers that are told of every ping by an HTTP call of ours')
    .addCommand(addCommand(use))
    .addCommand(listCommand(use))
    .addCommand(pauseCommand(use))
    .addCommand(resumeCommand(use))
    .addCommand(rotateCommand(use))
    .addCommand(testCommand(use))
    .addCommand(removeCommand(use));
}

type Terms = Output & { description?: string; statuses?: string[]; secret?: string; rate?: number; from?: number };

function addCommand(use: Use): Command {
  return new Command('add')
    .description('subscribes a receiver and prints its secret, this once')
    .argument('<url>', 'https, public')
    .option('--description <text>', 'what people call it')
    .option('--statuses <statuses>', 'only these, separated by commas: pending, confirmed, rejected, exception', words)
    .option('--secret <secret>', 'whsec_ and the base64 of 24 to 64 bytes; made up when left out')
    .option('--rate <a second>', 'most deliveries a second', wholeNumber)
    .option('--from <position>', 'begin after this position of the ping stream, 0 for all of it', wholeNumber)
    .option('--json', 'print JSON')
    .action(async (url: string, { description, statuses, secret, rate, from, json }: Terms) => {
      const terms = { url, description, statuses, secret, rate_per_second: rate, from_position: from };
      const { data, error } = NewWebhook.safeParse(terms);
      if (error) throw new UserFault(describeIssues(error.issues));
      printSecret(accepted(await use(({ webhooks }) => webhooks.create(data))), json);
    });
}

function listCommand(use: Use): Command {
  return new Command('list')
    .description('lists all webhooks and what waits for each')
    .option('--json', 'print JSON')
    .action(async ({ json }: Output) => {
      const all = await use(({ webhooks }) => webhooks.list());
      if (json) printJson(all);
      else console.log(all.length === 0 ? 'There are no webhooks yet.' : all.map(asText).join('\n'));
    });
}

function pauseCommand(use: Use): Command {
  return ofOne('pause', 'sends nothing for now; what it would have been sent waits')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: Output) =>
      print(known(await use(({ webhooks }) => webhooks.pause(id))), json),
    );
}

function resumeCommand(use: Use): Command {
  return ofOne('resume', 'sends what waits, oldest first; also to one that was disabled or is held back')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: Output) =>
      print(known(await use(({ webhooks }) => webhooks.resume(id))), json),
    );
}

function rotateCommand(use: Use): Command {
  return ofOne('rotate', 'gives it a new secret and prints it, this once; those before it sign too for a while')
    .option('--overlap-hours <hours>', 'how long', wholeNumber, 24)
    .option('--json', 'print JSON')
    .action(async (id: string, { overlapHours, json }: Output & { overlapHours: number }) => {
      const rotation = { overlap_seconds: overlapHours * 3_600 };
      printSecret(known(accepted(await use(({ webhooks }) => webhooks.rotate(id, rotation)))), json);
    });
}

function testCommand(use: Use): Command {
  return ofOne('test', 'sends a signed test message at once and shows what came back')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: Output) => {
      const trial = known(await use(({ trials }) => trials.run(id)));
      const { httpStatus, error, answer, durationMs } = trial;
      const delivered = error === null;
      if (json) return printJson({ delivered, http_status: httpStatus, error, answer, duration_ms: durationMs });
      console.log(`${delivered ? 'delivered' : 'failed'}  ${error ?? httpStatus} after ${durationMs} ms`);
      if (answer !== null) console.log(answer);
    });
}

function removeCommand(use: Use): Command {
  return ofOne('remove', 'removes it with all that was to be delivered to it')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: Output) => {
      if (!(await use(({ webhooks }) => webhooks.remove(id)))) throw unknown();
      if (json) printJson({ id, removed: true });
      else console.log(`Removed webhook ${id}.`);
    });
}

function ofOne(name: string, description: string): Command {
  return new Command(name).description(description).argument('<webhook id>', 'see list');
}

function words(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function accepted<T extends object | undefined>(result: T | FieldRefusal): T {
  if (result && 'faults' in result) {
    throw new UserFault(result.faults.map(({ field, message }) => `${field} ${message}.`).join(' '));
  }
  return result as T;
}

function known<T extends object>(webhook: T | undefined): T {
  if (!webhook) throw unknown();
  return webhook;
}

function unknown(): UserFault {
  return new UserFault('There is no webhook of this id.');
}

function print(webhook: ListedWebhook, json = false): void {
  if (json) printJson(webhook);
  else console.log(asText(webhook));
}

function printSecret(webhook: WithSecret, json = false): void {
  if (json) return printJson(webhook);
  console.log(`webhook id  ${webhook.id}\nsecret      ${webhook.secret}\nThe secret is not shown again.`);
}

function printJson(value: object): void {
  console.log(JSON.stringify(value, null, 2));
}

function asText({ id, url, state, disabled_reason, breaker, pending, parked }: ListedWebhook): string {
  const reason = disabled_reason === null ? '' : ` (${disabled_reason})`;
  const held = breaker.state === 'closed' ? '' : `, held back after ${breaker.failures} failures`;
  return `${id}  ${url}  ${state}${reason}${held}, ${pending} pending, ${parked} parked`;
}
