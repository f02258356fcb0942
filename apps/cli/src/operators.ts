import { Command, Option } from 'commander';
import { isEmailAddress } from '#base/email-address';
import { type Role, ROLES } from '#accounts/permission.contract';
import { type Operator, type OperatorError, Operators } from '#accounts/operators';
import { SystemClock } from '#base/clock';
import { TimeOrderedIds } from '#base/ids';
import { SystemRandomness } from '#base/randomness';
import { loadSettings } from '#base/load-settings';
import { poolFor, type UsePool } from './database/with-pool.js';
import { commandActor, recordChange } from './audit.js';
import { confirmed } from './terminal/confirmation.js';
import { safeJson, visible } from './terminal/text-table.js';
import { UserError } from './terminal/user-error.js';

type Output = { json?: boolean };
type Context = Readonly<{
  operators: Operators;
  actor: string;
  record: (action: string, operator: Operator) => Promise<void>;
}>;

const SENTENCES: Readonly<Record<OperatorError, string>> = {
  EMAIL_TAKEN: 'Another operator has this e-mail address.',
  OPERATOR_UNKNOWN: 'There is no operator with this e-mail address.',
  LAST_ADMINISTRATOR: 'This is the last active administrator. Add another one first.',
};

/** `operators add|list|reset|disable`: the people who may sign in to the back office. */
export function operatorsCommand(
  use: UsePool = poolFor('operators'),
  publicUrl = () => loadSettings().PUBLIC_URL,
  confirm = confirmed,
): Command {
  return new Command('operators')
    .description('the people who may sign in to the back office')
    .addCommand(addCommand(use, publicUrl))
    .addCommand(listCommand(use))
    .addCommand(resetCommand(use, publicUrl, confirm))
    .addCommand(disableCommand(use, confirm));
}

function addCommand(use: UsePool, publicUrl: () => string): Command {
  const append = (value: string, values: string[] = []) => [...values, value];
  const role = new Option('--role <role>', `what they may do: ${ROLES.join(', ')}; repeat it for several`)
    .makeOptionMandatory()
    .argParser((value: string, roles: Role[] | undefined) => [...(roles ?? []), knownRole(value)]);
  return new Command('add')
    .description('adds a person and prints an address at which they choose a password, good for 72 hours')
    .argument('<e-mail>', 'what they sign in with')
    .requiredOption('--name <name>', 'their name')
    .addOption(role)
    .option('--seller <seller>', 'a seller whose orders a broker sees; repeat it for several', append)
    .option('--json', 'print JSON')
    .action(async (given: string, options: Output & { name: string; role: Role[]; seller?: string[] }) => {
      const email = given.trim();
      if (!isEmailAddress(email)) throw new UserError(`${visible(email)} is not an e-mail address.`);
      const fields = { email, name: options.name, roles: options.role, sellers: options.seller ?? null };
      const { operator, invitation } = await inContext(use, async ({ operators, actor, record }) => {
        const added = await operators.add(fields, undefined, actor);
        if (typeof added === 'string') throw new UserError(SENTENCES[added]);
        await record('operator.created', added.operator);
        return added;
      });
      printInvitation(operator, `${publicUrl()}/invitation#${invitation ?? ''}`, options);
    });
}

function listCommand(use: UsePool): Command {
  return new Command('list')
    .description('lists all people, with their roles')
    .option('--json', 'print JSON')
    .action(async ({ json }: Output) => {
      const operators = await inContext(use, (context) => context.operators.list());
      if (json) console.log(safeJson(operators.map(asJson)));
      else console.log(operators.length === 0 ? 'There are no operators yet.' : operators.map(asText).join('\n'));
    });
}

function resetCommand(use: UsePool, publicUrl: () => string, confirm: typeof confirmed): Command {
  return new Command('reset')
    .description(
      'removes password, authenticator app and sessions, and prints an address for a new password; asks first',
    )
    .argument('<e-mail>', 'see list')
    .option('--yes', 'do not ask; required without a terminal')
    .option('--json', 'print JSON')
    .action(async (email: string, options: Output & { yes?: boolean }) => {
      if (!options.yes) await confirm(`Reset ${email}? The password and all sessions end.`);
      const { operator, invitation } = await inContext(use, async ({ operators, actor, record }) => {
        const operator = await byEmail(operators, email);
        const invitation = await operators.reset(operator.id, actor);
        await record('operator.reset', operator);
        return { operator, invitation };
      });
      printInvitation(operator, `${publicUrl()}/invitation#${invitation ?? ''}`, options);
    });
}

function disableCommand(use: UsePool, confirm: typeof confirmed): Command {
  return new Command('disable')
    .description('ends all sessions of a person and lets them sign in no more; asks first')
    .argument('<e-mail>', 'see list')
    .option('--yes', 'do not ask; required without a terminal')
    .option('--json', 'print JSON')
    .action(async (email: string, { yes, json }: Output & { yes?: boolean }) => {
      if (!yes) await confirm(`Disable ${email}? They are signed out at once.`);
      const operator = await inContext(use, async ({ operators, actor, record }) => {
        const { id } = await byEmail(operators, email);
        const disabled = await operators.change(id, { state: 'disabled' }, { actor });
        if (typeof disabled === 'string') throw new UserError(SENTENCES[disabled]);
        await record('operator.changed', disabled);
        return disabled;
      });
      console.log(json ? safeJson(asJson(operator)) : `Disabled ${visible(operator.email)}.`);
    });
}

function inContext<T>(use: UsePool, work: (context: Context) => Promise<T>): Promise<T> {
  const [clock, ids] = [new SystemClock(), new TimeOrderedIds()];
  return use((pool) => {
    const record = (action: string, { id }: Operator) => recordChange(pool, action, `operator:${id}`);
    const operators = new Operators(pool, clock, ids, new SystemRandomness());
    return work({ operators, actor: commandActor(), record });
  });
}

async function byEmail(operators: Operators, email: string): Promise<Operator> {
  const found = (await operators.list()).find(
    (operator) => operator.email.toLowerCase() === email.trim().toLowerCase(),
  );
  if (!found) throw new UserError(SENTENCES.OPERATOR_UNKNOWN);
  return found;
}

function knownRole(value: string): Role {
  const role = ROLES.find((known) => known === value);
  if (!role) throw new UserError(`--role must be one of ${ROLES.join(', ')}.`);
  return role;
}

function printInvitation({ id, email }: Operator, inviteUrl: string, { json }: Output): void {
  if (json) console.log(safeJson({ id, email, invite_url: inviteUrl }));
  else
    console.log(
      `operator    ${id}\ninvitation  ${inviteUrl}\nThe invitation is good once, for 72 hours, and is not shown again.`,
    );
}

function asJson({ lastSignInAt, ...operator }: Operator): object {
  return { ...operator, last_sign_in_at: lastSignInAt };
}

function asText({ id, email, name, roles, sellers, state, totp, lastSignInAt }: Operator): string {
  const parts = [roles.join(', '), ...(sellers ? [`sellers ${sellers.map(visible).join(', ')}`] : [])];
  if (totp) parts.push('with an authenticator app');
  if (lastSignInAt) parts.push(`signed in last ${lastSignInAt.toISOString()}`);
  if (state === 'disabled') parts.push('disabled');
  return `${id}  ${visible(email)}  ${visible(name)}: ${parts.join('; ')}`;
}
