import { Command } from 'commander';
import type { Webhook } from '#contracts/backoffice/webhook';
import type { FieldIssues } from '#webhooks/webhooks';
import { confirmed } from './confirmation.js';
import { runningService } from './running-service.js';
import { safeJson, visible } from './text-table.js';
import { UserError } from './user-error.js';
import { addCommand, printSecret, testCommand } from './webhook-requests.js';
import { wholeNumber } from './whole-number.js';
import { type UseWebhooks, withWebhooks } from './with-webhooks.js';

type Output = { json?: boolean };

// The api takes 30 days.
const LONGEST_OVERLAP_HOURS = 720;

/** `webhooks add|list|pause|resume|rotate|test|remove`: who is told of every ping by an HTTP call of ours. */
export function webhooksCommand(
  use: UseWebhooks = withWebhooks,
  service = runningService,
  confirm = confirmed,
): Command {
  return new Command('webhooks')
    .description('receivers that are told of every ping by an HTTP call of ours')
    .addCommand(addCommand(service))
    .addCommand(listCommand(use))
    .addCommand(pauseCommand(use))
    .addCommand(resumeCommand(use))
    .addCommand(rotateCommand(use))
    .addCommand(testCommand(service))
    .addCommand(removeCommand(use, confirm));
}

function listCommand(use: UseWebhooks): Command {
  return new Command('list')
    .description('lists all webhooks and what waits for each')
    .option('--json', 'print JSON')
    .action(async ({ json }: Output) => {
      const all = await use((webhooks) => webhooks.list());
      if (json) console.log(safeJson(all));
      else console.log(all.length === 0 ? 'There are no webhooks yet.' : all.map(asText).join('\n'));
    });
}

function pauseCommand(use: UseWebhooks): Command {
  return ofOne('pause', 'sends nothing for now; what it would have been sent waits')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: Output) => print(known(await use((webhooks) => webhooks.pause(id))), json));
}

function resumeCommand(use: UseWebhooks): Command {
  return ofOne('resume', 'sends what waits, oldest first; also to one that was disabled or is held back')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: Output) => print(known(await use((webhooks) => webhooks.resume(id))), json));
}

function rotateCommand(use: UseWebhooks): Command {
  return ofOne('rotate', 'gives it a new secret and prints it, this once; those before it sign too for a while')
    .option('--overlap-hours <hours>', 'how long', wholeNumber(0, LONGEST_OVERLAP_HOURS), 24)
    .option('--json', 'print JSON')
    .action(async (id: string, { overlapHours, json }: Output & { overlapHours: number }) => {
      const rotation = { overlap_seconds: overlapHours * 3_600 };
      printSecret(known(accepted(await use((webhooks) => webhooks.rotate(id, rotation)))), json);
    });
}

function removeCommand(use: UseWebhooks, confirm: typeof confirmed): Command {
  return ofOne('remove', 'removes it with all that was to be delivered to it; asks first')
    .option('--yes', 'do not ask; needed where there is no terminal')
    .option('--json', 'print JSON')
    .action(async (id: string, { yes, json }: Output & { yes?: boolean }) => {
      if (!yes) await confirm(`Remove webhook ${id}? What still waits for it is never sent.`);
      if (!(await use((webhooks) => webhooks.remove(id)))) throw unknown();
      if (json) console.log(safeJson({ id, removed: true }));
      else console.log(`Removed webhook ${id}.`);
    });
}

function ofOne(name: string, description: string): Command {
  return new Command(name).description(description).argument('<webhook id>', 'see list');
}

function accepted<T extends object | undefined>(result: T | FieldIssues): T {
  if (result && 'faults' in result) {
    throw new UserError(result.faults.map(({ field, message }) => `${field} ${message}.`).join(' '));
  }
  return result as T;
}

function known<T extends object>(webhook: T | undefined): T {
  if (!webhook) throw unknown();
  return webhook;
}

function unknown(): UserError {
  return new UserError('There is no webhook of this id.');
}

function print(webhook: Webhook, json = false): void {
  if (json) console.log(safeJson(webhook));
  else console.log(asText(webhook));
}

function asText({ id, url, state, disabled_reason, breaker, pending, parked }: Webhook): string {
  const reason = disabled_reason === null ? '' : ` (${visible(disabled_reason)})`;
  const held = breaker.state === 'closed' ? '' : `, held back after ${breaker.failures} failures`;
  return `${id}  ${visible(url)}  ${state}${reason}${held}, ${pending} pending, ${parked} parked`;
}
