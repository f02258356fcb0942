import { Command, Option } from 'commander';
import type { Pool } from 'pg';
import type { ClientRegistry, IssuedSecret } from '#accounts/clients';
import type { PlatformClient } from '#accounts/platform-client.contract';
import type { Variant } from '#accounts/platform-client';
import { recordChange } from './audit.js';
import { confirmed } from './terminal/confirmation.js';
import { keysCommand } from './discovery-keys.js';
import { safeJson, visible } from './terminal/text-table.js';
import { unwrap, UserError } from './terminal/user-error.js';
import type { UsePool } from './database/with-pool.js';
import { withClients } from './with-clients.js';

type Use = <T>(work: (clients: ClientRegistry, pool: Pool) => Promise<T>) => Promise<T>;
type Output = { json?: boolean };
type ClientChange = { name?: string; requireRefId?: boolean };
type Addition = Output & { id?: string; secret?: string; variant?: Variant; requireRefId?: boolean };

/** `clients add|list|change|rotate|revoke`: the platforms that may call the checkout service; `clients keys`: the keys of discovery. */
export function clientsCommand(use: Use = withClients, useKeys?: UsePool, confirm = confirmed): Command {
  return new Command('clients')
    .description('the platforms that may call, and their secrets; changes take effect within 5 s')
    .addCommand(addCommand(use))
    .addCommand(listCommand(use))
    .addCommand(changeCommand(use))
    .addCommand(rotateCommand(use))
    .addCommand(revokeCommand(use, confirm))
    .addCommand(keysCommand(useKeys, confirm));
}

function addCommand(use: Use): Command {
  const variant = new Option('--variant <variant>', 'what it submits; default: payment').choices([
    'payment',
    'wholesale',
  ]);
  return new Command('add')
    .description('adds a platform client and prints its secret, only once; restores a revoked one with a new secret')
    .argument('<name>', 'a name for people')
    .option('--id <client id>', 'the one that the platform gave you; default: a random one')
    .option('--secret <secret>', 'the one that the platform gave you; default: a random one')
    .addOption(variant)
    .option('--require-ref-id', 'refuse its purchases without a ref_id')
    .option('--json', 'print JSON')
    .action(async (name: string, options: Addition) => {
      const { id: clientId, variant: given, secret, requireRefId } = options;
      const issued = await use(async (clients, pool) => {
        const created = await clients.create({ clientId, name, variant: given ?? 'payment', secret, requireRefId });
        const isTaken = 'error' in created && created.error === 'CLIENT_EXISTS';
        const restored =
          isTaken && clientId && (await clients.restore({ clientId, name, variant: given, secret, requireRefId }));
        const issued = unwrap(restored || created);
        await recordChange(pool, restored ? 'client.restored' : 'client.created', `client:${issued.clientId}`);
        return issued;
      });
      printSecret(issued, options);
    });
}

function listCommand(use: Use): Command {
  return new Command('list')
    .description('lists all clients and the ids of their secrets')
    .option('--json', 'print JSON')
    .action(async ({ json }: Output) => {
      const clients = await use((registry) => registry.list());
      if (json) printJson(clients);
      else console.log(clients.length === 0 ? 'There are no clients yet.' : clients.map(asText).join('\n'));
    });
}

function changeCommand(use: Use): Command {
  return new Command('change')
    .description('changes the name of a client, or whether its purchases need a ref_id')
    .argument('<client id>')
    .option('--name <name>', 'a name for people')
    .option('--require-ref-id', 'refuse its purchases without a ref_id')
    .option('--no-require-ref-id', 'accept its purchases without a ref_id')
    .option('--json', 'print JSON')
    .action(async (clientId: string, { name, requireRefId, json }: Output & ClientChange) => {
      if (name === undefined && requireRefId === undefined) throw new UserError('Say what to change: see --help.');
      await use(async (clients, pool) => {
        unwrap(await clients.change(clientId, { name, requireRefId }));
        await recordChange(pool, 'client.changed', `client:${clientId}`);
      });
      if (json) printJson({ client_id: clientId, name, require_ref_id: requireRefId });
      else console.log(`Changed client ${visible(clientId)}.`);
    });
}

function rotateCommand(use: Use): Command {
  return new Command('rotate')
    .description('gives a client a second secret and prints it, only once; the first stays valid until it is revoked')
    .argument('<client id>')
    .option('--secret <secret>', 'the one that the platform gave you; default: a random one')
    .option('--json', 'print JSON')
    .action(async (clientId: string, options: Output & { secret?: string }) => {
      const issued = await use(async (clients, pool) => {
        const issued = unwrap(await clients.rotate(clientId, options.secret));
        await recordChange(pool, 'client.rotated', `client:${clientId}`);
        return issued;
      });
      printSecret(issued, options);
      if (!options.json)
        console.log(`The old secret stays valid until you run: clients revoke ${clientId} --secret <its id>`);
    });
}

function revokeCommand(use: Use, confirm: (question: string) => Promise<void>): Command {
  return new Command('revoke')
    .description('revokes a client, or one of its secrets; asks first')
    .argument('<client id>')
    .option('--secret <secret id>', 'only this secret (see list)')
    .option('--yes', 'do not ask; required without a terminal, except for a secret')
    .option('--json', 'print JSON')
    .action(async (clientId: string, { secret, json, yes }: Output & { secret?: string; yes?: boolean }) => {
      // Scripts revoke a secret as the last step of a rotation. The client can still call.
      const mustAsk = secret === undefined || process.stdin.isTTY;
      if (!yes && mustAsk) await confirm(questionFor(clientId, secret));
      await use(async (clients, pool) => {
        unwrap(await (secret ? clients.revokeSecret(clientId, secret) : clients.revoke(clientId)));
        if (secret) await recordChange(pool, 'client_secret.revoked', `client_secret:${secret}`);
        else await recordChange(pool, 'client.revoked', `client:${clientId}`);
      });
      if (json) printJson({ client_id: clientId, ...(secret && { secret_id: secret }), revoked: true });
      else console.log(`Revoked ${secret ? `secret ${secret} of ` : ''}client ${clientId}.`);
    });
}

function questionFor(clientId: string, secret: string | undefined): string {
  if (secret !== undefined)
    return `Revoke secret ${secret} of client ${clientId}? Requests signed with it are refused from then on.`;
  return `Revoke client ${clientId}? All its requests are refused from then on.`;
}

function printSecret({ clientId, secretId, secret }: IssuedSecret, { json }: Output): void {
  if (json) return printJson({ client_id: clientId, secret_id: secretId, secret });
  console.log(`client id  ${clientId}\nsecret     ${secret}\nsecret id  ${secretId}`);
  console.log('The secret is not shown again.');
}

function printJson(value: object): void {
  console.log(safeJson(value));
}

function asText({ client_id, name, variant, require_ref_id, secrets, ...times }: PlatformClient): string {
  const lines = secrets.map((secret) => `  ${secret.id}  ${dates(secret)}`);
  const facts = [visible(name), variant, ...(require_ref_id ? ['requires ref_id'] : []), dates(times)];
  return [`${client_id}  ${facts.join(', ')}`, ...lines].join('\n');
}

function dates({ created_at: made, revoked_at: revoked }: Pick<PlatformClient, 'created_at' | 'revoked_at'>): string {
  return `made ${made}${revoked ? `, revoked ${revoked}` : ''}`;
}
