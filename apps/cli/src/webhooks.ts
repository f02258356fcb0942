import { Command } from 'commander';
import type { Webhook } from '#outbound/webhook.contract';
import type { FieldIssues } from '#outbound/webhooks';
import { recordChange } from './audit.js';
import { confirmed } from './terminal/confirmation.js';
import { runningService } from './running-service.js';
import { safeJson, visible } from './terminal/text-table.js';
import { UserError } from './terminal/user-error.js';
import { addCommand, printSecret, testCommand } from './webhook-requests.js';
import { wholeNumber } from './terminal/whole-number.js';
import { type UseWebhooks, withWebhooks } from './with-webhooks.js';

type Output = { json?: boolean };

// The api accepts up to 30 days.
const MAX_OVERLAP_HOURS = 720;

/** `webhooks add|list|pause|resume|rotate|test|remove`: the receivers of webhooks. */
export function webhooksCommand(
  use: UseWebhooks = withWebhooks,
  service = runningService,
  confirm = confirmed,
): Command {
  return new Command('webhooks')
    .description('receivers that get every ping as an HTTP request')
    .addCommand(addCommand(service))
    .addCommand(listCommand(use))
    .addCommand(changeCommand(use, 'pause', 'pauses a webhook; its deliveries wait'))
    .addCommand(
      changeCommand(
        use,
        'resume',
        'sends the waiting deliveries, oldest first; also to a disabled or held-back webhook',
      ),
    )
    .addCommand(rotateCommand(use))
    .addCommand(testCommand(service))
    .addCommand(removeCommand(use, confirm));
}

function listCommand(use: UseWebhooks): Command {
  return new Command('list')
    .description('lists all webhooks and their pending deliveries')
    .option('--json', 'print JSON')
    .action(async ({ json }: Output) => {
      const all = await use((webhooks) => webhooks.list());
      if (json) console.log(safeJson(all));
      else console.log(all.length === 0 ? 'There are no webhooks yet.' : all.map(asText).join('\n'));
    });
}

function changeCommand(use: UseWebhooks, change: 'pause' | 'resume', description: string): Command {
  return webhookCommand(change, description)
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: Output) => {
      const webhook = await use(async (webhooks, pool) => {
        const webhook = orNotFound(await webhooks[change](id));
        await recordChange(pool, `webhook.${change}d`, `webhook:${id}`);
        return webhook;
      });
      print(webhook, json);
    });
}

function rotateCommand(use: UseWebhooks): Command {
  return webhookCommand('rotate', 'gives it a new secret and prints it, only once; the old ones also sign for a while')
    .option('--overlap-hours <hours>', 'how long', wholeNumber(0, MAX_OVERLAP_HOURS), 24)
    .option('--json', 'print JSON')
    .action(async (id: string, { overlapHours, json }: Output & { overlapHours: number }) => {
      const rotation = { overlap_seconds: overlapHours * 3_600 };
      const webhook = await use(async (webhooks, pool) => {
        const webhook = orNotFound(unwrap(await webhooks.rotate(id, rotation)));
        await recordChange(pool, 'webhook.rotated', `webhook:${id}`);
        return webhook;
      });
      printSecret(webhook, json);
    });
}

function removeCommand(use: UseWebhooks, confirm: typeof confirmed): Command {
  return webhookCommand('remove', 'removes it and its pending deliveries; asks first')
    .option('--yes', 'do not ask; required without a terminal')
    .option('--json', 'print JSON')
    .action(async (id: string, { yes, json }: Output & { yes?: boolean }) => {
      if (!yes) await confirm(`Remove webhook ${id}? Its pending deliveries are never sent.`);
      await use(async (webhooks, pool) => {
        if (!(await webhooks.remove(id))) throw notFound();
        await recordChange(pool, 'webhook.removed', `webhook:${id}`);
      });
      if (json) console.log(safeJson({ id, removed: true }));
      else console.log(`Removed webhook ${id}.`);
    });
}

function webhookCommand(name: string, description: string): Command {
  return new Command(name).description(description).argument('<webhook id>', 'see list');
}

function unwrap<T extends object | undefined>(result: T | FieldIssues): T {
  if (result && 'issues' in result) {
    throw new UserError(result.issues.map(({ field, message }) => `${field} ${message}.`).join(' '));
  }
  return result as T;
}

function orNotFound<T extends object>(webhook: T | undefined): T {
  if (!webhook) throw notFound();
  return webhook;
}

function notFound(): UserError {
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
